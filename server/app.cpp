#include <algorithm>
#include <cstdio>

#include <spdlog/spdlog.h>

#include <signet/crypto/random.hpp>
#include <signet/http/request_id.hpp>
#include <signet/server/app.hpp>

namespace signet {
namespace {

/// Handlers' faults go to the log, and to whom else they interest.
http::ErrorCallback logging(http::ErrorCallback also) {
  return [also = std::move(also)](const http::Request& request, std::string_view what) {
    spdlog::error("{} {}: handler failed: {}", request.method_string(), request.path(), what);
    if (also) also(request, what);
  };
}

std::uint64_t random_number() noexcept {
  std::uint64_t number = 0;
  crypto::random_bytes({reinterpret_cast<std::uint8_t*>(&number), sizeof number});
  return number;
}

/// How long a kept connection may stay unused, for clients that would rather not send into its end.
std::string keep_alive_lines(const server::Options& options) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(options.idle_timeout).count();
  std::string lines(http::connection_stays);
  return seconds == 0 ? lines : lines + "Keep-Alive: timeout=" + std::to_string(seconds) + "\r\n";
}

}  // namespace

/// The first route that could not be added is what run() says.
App& App::added(const base::Result<void, std::string>& result) {
  if (!result.ok() && fault_.empty()) fault_ = result.error();
  return *this;
}

App& App::route(http::verb method, std::string_view pattern, http::Handler handler,
                http::RouteOptions options) {
  return added(router_.add(method, pattern, std::move(handler), options));
}

App& App::route(std::string_view method, std::string_view pattern, http::Handler handler,
                http::RouteOptions options) {
  return added(router_.add(method, pattern, std::move(handler), options));
}

App& App::get(std::string_view pattern, http::Handler handler, http::RouteOptions options) {
  return route(http::verb::get, pattern, std::move(handler), options);
}

App& App::post(std::string_view pattern, http::Handler handler, http::RouteOptions options) {
  return route(http::verb::post, pattern, std::move(handler), options);
}

App& App::put(std::string_view pattern, http::Handler handler, http::RouteOptions options) {
  return route(http::verb::put, pattern, std::move(handler), options);
}

App& App::del(std::string_view pattern, http::Handler handler, http::RouteOptions options) {
  return route(http::verb::delete_, pattern, std::move(handler), options);
}

App& App::upload(http::verb method, std::string_view pattern, http::UploadHandler handler,
                 http::RouteOptions options) {
  return added(router_.add_upload(method, pattern, std::move(handler), options));
}

App& App::otherwise(http::Handler handler, http::RouteOptions options) {
  router_.otherwise(std::move(handler), options);
  return *this;
}

App& App::before(std::string_view prefix, http::BeforeHook hook) {
  return added(router_.before(prefix, std::move(hook)));
}

App& App::after(std::string_view prefix, http::AfterHook hook) {
  return added(router_.after(prefix, std::move(hook)));
}

App& App::request_ids() {
  const auto ids = std::make_shared<http::RequestIds>(random_number(), random_number());
  before("/", [ids](const http::Request& request, http::Response&) {
    ids->name(request);
    return true;
  });
  return after("/", [ids](const http::Request& request, http::Response& response) {
    ids->announce(request, response);
  });
}

App& App::access_log(http::AccessCallback callback) {
  on_access_ = std::move(callback);
  return *this;
}

App& App::on_error(http::ErrorCallback callback) {
  on_error_ = std::move(callback);
  return *this;
}

App& App::any_host() {
  http_.checks_host = false;
  return *this;
}

int App::run(const server::Options& options) {
  const auto service = prepare(options);
  if (service.ok()) return server::run(options, *service);
  std::fprintf(stderr, "%s\n", service.error().c_str());
  return server::exit_start;
}

base::Result<std::unique_ptr<server::Server>, std::string> App::start(const server::Options& options) {
  const auto service = prepare(options);
  if (!service) return service.error();
  auto server = std::make_unique<server::Server>();
  if (const auto started = server->start(options, *service); !started) return started.error();
  return server;
}

base::Result<server::Service, std::string> App::prepare(const server::Options& options) {
  if (!fault_.empty()) return fault_;
  if (dispatcher_) return std::string("an App serves once");
  dispatcher_.emplace(std::move(router_), logging(std::move(on_error_)), std::move(on_access_));
  http_.dispatcher = &*dispatcher_;
  http_.limits.head_bytes = options.max_header_bytes;
  http_.limits.request_line_bytes = std::min(http_.limits.request_line_bytes, options.max_header_bytes);
  http_.limits.body_bytes = options.max_body_bytes;
  http_.stays = keep_alive_lines(options);
  return server::http_service(http_);
}

}  // namespace signet
