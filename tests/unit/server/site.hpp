// Routes that a test makes itself, served by a worker that it drives.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "tls_support.hpp"

#include <signet/http/responder.hpp>

namespace signet::test {

/// Routes and hooks are added first; then settings(), or tls().
class Site {
 public:
  Site& add(http::verb method, std::string_view pattern, http::Handler handler,
            http::RouteOptions options = {}) {
    REQUIRE(router.add(method, pattern, std::move(handler), options).ok());
    return *this;
  }
  Site& get(std::string_view pattern, http::Handler handler) {
    return add(http::verb::get, pattern, std::move(handler));
  }
  /// GET /hello: "hello\n".
  Site& hello() {
    return get("/hello", [](const http::Request&, http::Response& response) {
      response.text(http::status::ok, "hello\n");
    });
  }
  /// A handler that leaves its answer to the test, in `waiting`.
  http::Handler later() {
    return [this](const http::Request& request, http::Response&) { waiting.push_back(request.later()); };
  }

  [[nodiscard]] server::Service service() {
    dispatcher_.emplace(
        std::move(router),
        [this](const http::Request& request, std::string_view what) {
          errors.push_back(std::string(request.path()) + ": " + std::string(what));
        },
        std::move(on_access));
    http_.dispatcher = &*dispatcher_;
    http_.checks_host = false;
    return server::http_service(http_);
  }
  [[nodiscard]] server::WorkerSettings settings() {
    server::WorkerSettings made = small_settings();
    made.service = service();
    return made;
  }
  [[nodiscard]] server::WorkerSettings tls() { return tls_settings(service()); }

  /// The one that waits longest.
  http::Responder take() {
    REQUIRE(!waiting.empty());
    http::Responder taken = std::move(waiting.front());
    waiting.pop_front();
    return taken;
  }

  http::Router router;
  http::AccessCallback on_access;
  std::vector<std::string> errors;
  std::deque<http::Responder> waiting;

 private:
  std::optional<http::Dispatcher> dispatcher_;
  server::HttpService http_;
};

inline std::string get_request(std::string_view target, std::string_view lines = {}) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n" + std::string(lines) + "\r\n";
}

}  // namespace signet::test
