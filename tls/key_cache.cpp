#include <signet/tls/key_cache.hpp>

namespace signet::tls {

KeyCache::~KeyCache() {
  for (Slot& slot : slots_) {
    if (slot.serial != 0) slot.key.wipe();
  }
}

void KeyCache::assign(TrafficKey& key) noexcept {
  // Zero marks an empty slot.
  if (++last_serial_ == 0) ++last_serial_;
  key.serial = last_serial_;
}

const crypto::AeadKey& KeyCache::expanded(const TrafficKey& key, crypto::AeadId id) noexcept {
  Slot& slot = slot_of(key);
  if (!slot.belongs_to(key)) {
    slot.key.init(id, {key.key, crypto::aead_key_bytes(id)});
    slot.serial = key.serial;
    std::memcpy(slot.iv, key.iv, sizeof slot.iv);
    expansions_++;
  }
  return slot.key;
}

void KeyCache::forget(const TrafficKey& key) noexcept {
  Slot& slot = slot_of(key);
  if (key.serial == 0 || !slot.belongs_to(key)) return;
  slot.key.wipe();
  base::wipe(slot.iv);
  slot.serial = 0;
}

std::size_t KeyCache::held() const noexcept {
  std::size_t n = 0;
  for (const Slot& slot : slots_) n += slot.serial != 0 ? 1 : 0;
  return n;
}

}  // namespace signet::tls
