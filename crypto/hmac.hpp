// HMAC (RFC 2104) on prepared keys: the two pad blocks are compressed once, when the key is made.
#pragma once

#include <signet/crypto/hash.hpp>

namespace signet::crypto {

/// A key with its pads already compressed. Holds a secret: wipe() when done. Constant time in key and data.
class HmacKey {
 public:
  HmacKey() noexcept {}  // empty; only to be assigned to
  /// Keys longer than a block are hashed first, as RFC 2104 says. Any length is allowed, 0 too.
  HmacKey(HashId id, base::Bytes key) noexcept;
  [[nodiscard]] HashId id() const noexcept { return id_; }
  void wipe() noexcept { base::wipe_object(*this); }

  /// The hash behind its first block, key ^ ipad or key ^ opad; for Hmac.
  [[nodiscard]] Hash begin_inner() const noexcept { return {id_, inner_, 1}; }
  [[nodiscard]] Hash begin_outer() const noexcept { return {id_, outer_, 1}; }

 private:
  Hash::Midstate inner_;
  Hash::Midstate outer_;
  HashId id_;
};

/// One running MAC under a prepared key, which must outlive it and stay in its place. Copying it forks the
/// computation. Up to a block less 9 octets (SHA-256) or 17 (SHA-384, SHA-512) it costs two compressions.
class Hmac {
 public:
  explicit Hmac(const HmacKey& key) noexcept : inner_(key.begin_inner()), key_(&key) {}
  void update(base::Bytes data) noexcept { inner_.update(data); }
  /// `tag` has exactly digest_bytes octets; the state is wiped and may then only be assigned to.
  void finish(base::MutBytes tag) noexcept;
  void wipe() noexcept { base::wipe_object(*this); }

 private:
  Hash inner_;
  const HmacKey* key_;
};

/// The MAC of `data` in one call. `tag` has exactly digest_bytes(key.id()) octets.
void hmac(base::MutBytes tag, const HmacKey& key, base::Bytes data) noexcept;

}  // namespace signet::crypto
