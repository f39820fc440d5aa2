// HMAC (RFC 2104) on prepared keys: the two pad blocks are compressed once, when the key is made.
#pragma once

#include <signet/crypto/hash.hpp>

namespace signet::crypto {

/// A key with its pads already compressed. Holds a secret: wipe() when done. Constant time in key and data.
class HmacKey {
 public:
  HmacKey() noexcept;  // empty; only to be assigned to
  /// Keys longer than a block are hashed first, as RFC 2104 says.
  HmacKey(HashId id, base::Bytes key) noexcept;
  [[nodiscard]] HashId id() const noexcept;
  void wipe() noexcept;
  // Hmac reads the two prepared states.
};

/// One running MAC under a prepared key, which must outlive it.
class Hmac {
 public:
  explicit Hmac(const HmacKey& key) noexcept;
  void update(base::Bytes data) noexcept;
  /// `tag` has exactly digest_bytes octets.
  void finish(base::MutBytes tag) noexcept;
};

}  // namespace signet::crypto
