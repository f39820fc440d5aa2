// Ours and libcrypto's in turn, in short slices; the least slice of each counts.
#pragma once

#include <chrono>
#include <optional>

#include <signet/loadtest/prims/case.hpp>

namespace signet::prims {

/// Microseconds of one operation.
struct Times {
  double ours;
  std::optional<double> openssl;
};

/// Takes about `budget` of wall clock. What else the machine does lengthens some slices, seldom all of them,
/// and a slow minute is slow for both sides.
[[nodiscard]] Times measure(const Case& one, std::chrono::milliseconds budget);

}  // namespace signet::prims
