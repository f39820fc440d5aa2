#include <signet/crypto/hmac.hpp>

namespace signet::crypto {
namespace {

static_assert(std::is_trivially_copyable_v<HmacKey> && std::is_trivially_copyable_v<Hmac>);

// RFC 2104 section 2.
constexpr std::uint8_t ipad = 0x36;
constexpr std::uint8_t opad = 0x5c;

void exclusive_or(base::MutBytes block, std::uint8_t with) noexcept {
  for (std::uint8_t& octet : block) octet = static_cast<std::uint8_t>(octet ^ with);
}

// Written in its place: it is as good as the key, and one that was returned would stay behind on the stack.
void compress_pad(Hash::Midstate& midstate, HashId id, base::Bytes block) noexcept {
  Hash running(id);
  running.update(block);
  running.write_midstate(midstate);
  running.wipe();
}

}  // namespace

HmacKey::HmacKey(HashId id, base::Bytes key) noexcept : id_(id) {
  std::uint8_t storage[max_block_bytes] = {};
  const base::MutBytes block(storage, block_bytes(id));
  if (key.size() > block.size()) {
    hash(block.first(digest_bytes(id)), id, key);
  } else if (!key.empty()) {
    std::memcpy(storage, key.data(), key.size());
  }
  exclusive_or(block, ipad);
  compress_pad(inner_, id, block);
  exclusive_or(block, ipad ^ opad);
  compress_pad(outer_, id, block);
  base::wipe(block);
}

void Hmac::finish(base::MutBytes tag) noexcept {
  inner_.finish(tag);
  Hash outer = key_->begin_outer();
  outer.update(tag);
  outer.finish(tag);
}

void hmac(base::MutBytes tag, const HmacKey& key, base::Bytes data) noexcept {
  Hmac running(key);
  running.update(data);
  running.finish(tag);
}

}  // namespace signet::crypto
