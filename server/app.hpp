// signet::App: routes and their handlers, served.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <signet/http/dispatch.hpp>
#include <signet/server/server.hpp>
#include <signet/server/session.hpp>

namespace signet {

class App {
 public:
  App() = default;
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// Adds a route: "/users/{id}" matches one segment for {id}; see http::Router::add. HEAD goes to GET's
  /// handler. A route that cannot be added is said by run() and start(). Handlers are called by all workers
  /// at once.
  App& route(http::verb method, std::string_view pattern, http::Handler handler);
  App& get(std::string_view pattern, http::Handler handler);
  App& post(std::string_view pattern, http::Handler handler);
  App& put(std::string_view pattern, http::Handler handler);
  App& del(std::string_view pattern, http::Handler handler);
  /// The handler of every request for which there is no route.
  App& otherwise(http::Handler handler);
  /// Told of each handler that threw, besides the log. Called by all workers.
  App& on_error(http::ErrorCallback callback);

  /// Serves until SIGTERM or SIGINT and answers the program's exit code. Once in the life of an App.
  [[nodiscard]] int run(const server::Options& options);

  /// For programs with a main loop of their own, and tests: serves until the server is told otherwise. The
  /// App must outlive it.
  [[nodiscard]] base::Result<std::unique_ptr<server::Server>, std::string> start(
      const server::Options& options);

 private:
  [[nodiscard]] base::Result<server::Service, std::string> prepare(const server::Options& options);

  http::Router router_;
  http::ErrorCallback on_error_;
  std::string fault_;
  std::optional<http::Dispatcher> dispatcher_;
  server::HttpService http_;
};

}  // namespace signet
