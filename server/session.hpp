// HTTP/1.1 on a channel: the one file where a connection and HTTP meet.
//
// Between requests a session keeps nothing. While a request arrives, what is known of it lies with the input
// (Scratch); once it is whole, an exchange lives in a region of its own until its answer is gone.
#pragma once

#include <span>
#include <string_view>

#include <signet/http/dispatch.hpp>
#include <signet/http/limits.hpp>
#include <signet/server/channel.hpp>

namespace signet::server {

/// What all HTTP sessions share; immutable while they are served.
struct HttpService {
  const http::Dispatcher* dispatcher = nullptr;
  http::Limits limits;
};

/// The service's two functions, for channels whose context is an HttpService.
void serve_http(Channel& channel) noexcept;
void end_http(Channel& channel) noexcept;

/// As a service; `http` must outlive the workers.
[[nodiscard]] Service http_service(const HttpService& http) noexcept;

}  // namespace signet::server
