// EndOfEarlyData (RFC 8446 section 4.5), a message without a body.
#pragma once

#include <signet/base/result.hpp>
#include <signet/tls/failure.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct EndOfEarlyData {
  static constexpr HandshakeType type = HandshakeType::end_of_early_data;

  /// Reason: message_trailing_octets.
  [[nodiscard]] static base::Result<EndOfEarlyData, Failure> parse(base::Bytes body) noexcept;
  void write(Writer& writer) const noexcept;
};

}  // namespace signet::tls
