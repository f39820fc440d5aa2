// An ephemeral key of a group, our half of a (EC)DHE exchange (RFC 8446 sections 4.2.8 and 7.4).
#pragma once

#include <signet/base/result.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/crypto/x25519.hpp>
#include <signet/tls/cipher_suite.hpp>
#include <signet/tls/failure.hpp>
#include <signet/tls/key_schedule.hpp>

namespace signet::tls {

constexpr std::size_t max_key_share_bytes = crypto::p256_point_bytes;

/// Made fresh for one handshake and wiped by its destructor.
class EphemeralKey {
 public:
  /// A new key of a group that key_share_bytes() knows.
  explicit EphemeralKey(NamedGroup group) noexcept;
  EphemeralKey(const EphemeralKey&) = delete;
  EphemeralKey& operator=(const EphemeralKey&) = delete;
  ~EphemeralKey();

  [[nodiscard]] NamedGroup group() const noexcept { return group_; }
  /// The key share to send.
  [[nodiscard]] base::Bytes share() const noexcept { return {share_, key_share_bytes(group_)}; }
  /// The shared secret with the peer's share. Fails with key_share_length_wrong, key_share_invalid_point or
  /// key_share_all_zero. Constant time in our key and, but for a failure, in the result.
  [[nodiscard]] base::Result<Secret, Failure> agree(base::Bytes peer_share) const noexcept;

 private:
  NamedGroup group_;
  std::uint8_t x25519_[crypto::x25519_bytes];   // the key of the one group
  std::optional<crypto::P256PrivateKey> p256_;  // or of the other; wipes itself
  std::uint8_t share_[max_key_share_bytes];
};

}  // namespace signet::tls
