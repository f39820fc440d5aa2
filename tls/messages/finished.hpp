// Finished (RFC 8446 section 4.4.4). tls/key_schedule.hpp computes what is in it.
#pragma once

#include <signet/base/result.hpp>
#include <signet/crypto/hash.hpp>
#include <signet/tls/failure.hpp>
#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

struct Finished {
  static constexpr HandshakeType type = HandshakeType::finished;

  base::Bytes verify_data;

  /// Reason: finished_length_wrong, when it is not one digest of `hash`.
  [[nodiscard]] static base::Result<Finished, Failure> parse(base::Bytes body, crypto::HashId hash) noexcept;
  void write(Writer& writer) const noexcept;
};

}  // namespace signet::tls
