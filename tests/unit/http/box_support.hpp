// A worker's side of late answers and wakers, without a worker.
#pragma once

#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/responder.hpp>

namespace signet::http::test {

inline void no_signal(int) noexcept {}

/// An exchange of session 3 of a worker whose box the test empties.
struct Reachable {
  Awaiting worker{std::make_shared<base::PostBox>(no_signal, 0, 1 << 30), 0};
  Awaited exchange{worker, 3};

  /// The one message that is there; null when there is none.
  [[nodiscard]] base::Posted* one() const {
    base::Posted* first = worker.box->take_all();
    if (first != nullptr) CHECK(first->next == nullptr);
    return first;
  }
};

}  // namespace signet::http::test
