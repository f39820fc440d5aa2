// The floors that the primitives have to reach.
#pragma once

#include <optional>

#include <signet/loadtest/prims/case.hpp>

namespace signet::prims {

struct Bar {
  /// At most this: a ratio to libcrypto's time, or microseconds.
  double limit;
  bool is_ratio;
};

/// The bar of a row; none for most sizes, and for kernels that are not the first of their list.
[[nodiscard]] std::optional<Bar> bar_of(const Case& one);

}  // namespace signet::prims
