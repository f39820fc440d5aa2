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
  App& route(http::verb method, std::string_view pattern, http::Handler handler,
             http::RouteOptions options = {});
  /// As above, for any method that a client may send: "QUERY".
  App& route(std::string_view method, std::string_view pattern, http::Handler handler,
             http::RouteOptions options = {});
  App& get(std::string_view pattern, http::Handler handler, http::RouteOptions options = {});
  App& post(std::string_view pattern, http::Handler handler, http::RouteOptions options = {});
  App& put(std::string_view pattern, http::Handler handler, http::RouteOptions options = {});
  App& del(std::string_view pattern, http::Handler handler, http::RouteOptions options = {});
  /// A route that takes the request's body piece by piece: see http::Upload.
  App& upload(http::verb method, std::string_view pattern, http::UploadHandler handler,
              http::RouteOptions options = {});
  /// The handler of every request for which there is no route.
  App& otherwise(http::Handler handler, http::RouteOptions options = {});

  /// Runs before the handlers of the routes whose pattern lies under `prefix` ("/api" is for "/api/users",
  /// too); "/" is for all requests, those without a route included. The body is not there yet. On false the
  /// response is the answer.
  App& before(std::string_view prefix, http::BeforeHook hook);
  /// Runs when such a route's answer is made, and may add header fields to it.
  App& after(std::string_view prefix, http::AfterHook hook);

  /// Each request has an id, which its answer says in X-Request-Id: the client's own if that is 1 to 64
  /// letters, digits, '.', '_' and '-', else a fresh one. Hooks that were added before this find request.id()
  /// empty. An answer to a head that could not be read has none, since there is no request.
  App& request_ids();
  /// Told of each exchange once it is over. Called by all workers.
  App& access_log(http::AccessCallback callback);
  /// Told of each handler that threw, besides the log. Called by all workers.
  App& on_error(http::ErrorCallback callback);
  /// Serves whatever Host a client names; without this, a Host that the certificate does not cover is
  /// answered 421.
  App& any_host();

  /// Serves until SIGTERM or SIGINT and answers the program's exit code. Once in the life of an App. Threads
  /// that the program has already need not care for these signals.
  [[nodiscard]] int run(const server::Options& options);

  /// For programs with a main loop of their own, and tests: serves until the server is told otherwise. The
  /// App must outlive it.
  [[nodiscard]] base::Result<std::unique_ptr<server::Server>, std::string> start(
      const server::Options& options);

 private:
  [[nodiscard]] base::Result<server::Service, std::string> prepare(const server::Options& options);

  App& added(const base::Result<void, std::string>& result);

  http::Router router_;
  http::ErrorCallback on_error_;
  http::AccessCallback on_access_;
  std::string fault_;
  std::optional<http::Dispatcher> dispatcher_;
  server::HttpService http_;
};

}  // namespace signet
