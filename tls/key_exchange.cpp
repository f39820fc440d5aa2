#include <signet/crypto/random.hpp>
#include <signet/tls/key_exchange.hpp>

namespace signet::tls {
namespace {

// Almost every 256-bit number is a scalar; the next draw is for the others.
crypto::P256PrivateKey make_p256_key() noexcept {
  for (;;) {
    std::uint8_t scalar[crypto::p256_scalar_bytes];
    crypto::random_bytes(scalar);
    const auto key = crypto::P256PrivateKey::from_scalar(scalar);
    base::wipe(scalar);
    if (key) return *key;
  }
}

}  // namespace

EphemeralKey::EphemeralKey(NamedGroup group) noexcept : group_(group) {
  if (group == NamedGroup::x25519) {
    crypto::random_bytes(x25519_);
    crypto::x25519_public_key(std::span(share_).first<crypto::x25519_bytes>(), x25519_);
  } else {
    p256_ = make_p256_key();
    p256_->public_key().write(share_);
  }
}

EphemeralKey::~EphemeralKey() { base::wipe(x25519_); }

base::Result<Secret, Failure> EphemeralKey::agree(base::Bytes peer_share) const noexcept {
  if (peer_share.size() != key_share_bytes(group_)) return Failure(Reason::key_share_length_wrong);
  Secret shared;
  const std::span<std::uint8_t, 32> out = shared.resize(32).first<32>();
  if (group_ == NamedGroup::x25519) {
    if (!crypto::x25519(out, x25519_, peer_share.first<32>())) return Failure(Reason::key_share_all_zero);
    return shared;
  }
  const auto peer = crypto::P256PublicKey::parse_vartime(peer_share);
  if (!peer) return Failure(Reason::key_share_invalid_point);
  crypto::p256_ecdh(out, *p256_, *peer);
  return shared;
}

}  // namespace signet::tls
