// What all server connections of a worker share.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <signet/tls/identity.hpp>
#include <signet/tls/limits.hpp>

namespace signet::tls {

struct ServerSettings {
  /// Each worker holds its own reference; a handshake that runs keeps the one it began with.
  std::shared_ptr<const Identity> identity;
  /// Application protocols in the order of our preference; empty: ALPN is not answered. The names must
  /// outlive this.
  std::span<const std::string_view> protocols;
  Limits limits;
};

}  // namespace signet::tls
