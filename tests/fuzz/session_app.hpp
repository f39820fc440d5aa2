// An application with handlers of every kind, and a hand on what its other threads would do.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <signet/http/dispatch.hpp>
#include <signet/http/responder.hpp>

namespace signet::fuzz {

/// What handlers left with other threads, and how many of their objects live.
struct AppState {
  std::deque<http::Responder> late;  ///< answers that are owed
  std::vector<http::Waker> wakers;
  int live = 0;        ///< functions of streams and receivers of uploads
  unsigned heard = 0;  ///< a sum over all that was told, so that all of it is read

  void hear(std::string_view text) {
    for (const char c : text) heard = heard * 31 + static_cast<unsigned char>(c);
  }
};

[[nodiscard]] AppState& app_state();

/// Each answer but a refused head's has the field X-Method, with the method as received. Made once, and told
/// of each exchange when `logs_access`.
[[nodiscard]] const http::Dispatcher& app_dispatcher(bool logs_access);

/// Requests to these handlers, for inputs to name by number.
[[nodiscard]] const std::vector<std::string>& app_requests();

}  // namespace signet::fuzz
