#include <algorithm>
#include <cstdio>

#include <spdlog/spdlog.h>

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

}  // namespace

App& App::route(http::verb method, std::string_view pattern, http::Handler handler) {
  const auto added = router_.add(method, pattern, std::move(handler));
  if (!added && fault_.empty()) fault_ = "route " + std::string(pattern) + ": " + added.error();
  return *this;
}

App& App::get(std::string_view pattern, http::Handler handler) {
  return route(http::verb::get, pattern, std::move(handler));
}

App& App::post(std::string_view pattern, http::Handler handler) {
  return route(http::verb::post, pattern, std::move(handler));
}

App& App::put(std::string_view pattern, http::Handler handler) {
  return route(http::verb::put, pattern, std::move(handler));
}

App& App::del(std::string_view pattern, http::Handler handler) {
  return route(http::verb::delete_, pattern, std::move(handler));
}

App& App::otherwise(http::Handler handler) {
  router_.otherwise(std::move(handler));
  return *this;
}

App& App::on_error(http::ErrorCallback callback) {
  on_error_ = std::move(callback);
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
  dispatcher_.emplace(std::move(router_), logging(std::move(on_error_)));
  http_.dispatcher = &*dispatcher_;
  http_.limits.head_bytes = options.max_header_bytes;
  http_.limits.request_line_bytes = std::min(http_.limits.request_line_bytes, options.max_header_bytes);
  http_.limits.body_bytes = options.max_body_bytes;
  return server::http_service(http_);
}

}  // namespace signet
