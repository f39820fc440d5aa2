// What all HTTP sessions of a server share, and what they ask of it.
#pragma once

#include <string>

#include <signet/http/dispatch.hpp>
#include <signet/http/limits.hpp>
#include <signet/server/channel.hpp>

namespace signet::server {

/// Immutable while sessions are served.
struct HttpService {
  const http::Dispatcher* dispatcher = nullptr;
  http::Limits limits;
  bool checks_host = true;  ///< 421 for a Host that the certificate does not cover
  std::string stays;        ///< lines of an answer after which the connection stays; may be empty
};

[[nodiscard]] inline const HttpService& service_of(const Channel& channel) noexcept {
  return *static_cast<const HttpService*>(channel.context());
}

/// The longest body that this route takes.
[[nodiscard]] inline std::uint64_t longest_body(const HttpService& http, const http::Route& route) noexcept {
  return route.options.max_body_bytes.value_or(http.limits.body_bytes);
}

/// The date, made anew once a second, and the service's lines.
[[nodiscard]] http::SendingFacts sending_facts(const Channel& channel) noexcept;

/// The first `n` octets of the input, a request, are of no further use: what lies behind them is the next
/// one.
inline void consume_request(Channel& channel, std::size_t n) noexcept {
  channel.scratch() = Scratch{};
  channel.unpin();
  channel.consume(n);
}

}  // namespace signet::server
