// Expanded AEAD keys of the connections that were busy last: a plain array of fixed size, overwritten freely.
#pragma once

#include <array>

#include <signet/crypto/aead.hpp>

namespace signet::tls {

/// A key as a core keeps it: everything needed to expand it again.
struct TrafficKey {
  std::uint8_t key[crypto::max_aead_key_bytes];
  std::uint8_t iv[crypto::aead_nonce_bytes];
  /// Which expansion in the cache is this key's; given by KeyCache::assign when the key is made.
  std::uint32_t serial;
};

/// One per worker. A busy connection finds its keys here, a waking one expands them. Holds secrets; see
/// forget().
class KeyCache {
 public:
  static constexpr std::size_t slots = 256;

  KeyCache() noexcept = default;
  KeyCache(const KeyCache&) = delete;
  KeyCache& operator=(const KeyCache&) = delete;
  ~KeyCache();

  /// Gives a new key its serial. They repeat after 2^32 keys, which a connection may live to see; so a slot
  /// belongs to the key with its serial and its IV.
  void assign(TrafficKey& key) noexcept;
  /// The expansion of `key`, made now if another one has taken its place. Valid until the next call.
  [[nodiscard]] const crypto::AeadKey& expanded(const TrafficKey& key, crypto::AeadId id) noexcept;
  /// Wipes the expansion of a key that is over, if it is still here.
  void forget(const TrafficKey& key) noexcept;

  /// Expansions made so far, and slots that hold one.
  [[nodiscard]] std::uint64_t expansions() const noexcept { return expansions_; }
  [[nodiscard]] std::size_t held() const noexcept;

 private:
  struct Slot {
    crypto::AeadKey key;
    std::uint32_t serial;  // 0: empty
    std::uint8_t iv[crypto::aead_nonce_bytes];

    [[nodiscard]] bool belongs_to(const TrafficKey& other) const noexcept {
      return serial == other.serial && std::memcmp(iv, other.iv, sizeof iv) == 0;
    }
  };
  [[nodiscard]] Slot& slot_of(const TrafficKey& key) noexcept { return slots_[key.serial % slots]; }

  std::array<Slot, slots> slots_{};
  std::uint32_t last_serial_ = 0;
  std::uint64_t expansions_ = 0;
};

}  // namespace signet::tls
