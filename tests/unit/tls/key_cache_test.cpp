// The cache of expanded keys: one slot a serial, and never another connection's key.
#include <array>
#include <memory>

#include <doctest/doctest.h>

#include <signet/tls/key_cache.hpp>

using namespace signet;
using tls::KeyCache;
using tls::TrafficKey;

namespace {

TrafficKey key_of(std::uint8_t octet) {
  TrafficKey key{};
  std::memset(key.key, octet, sizeof key.key);
  std::memset(key.iv, octet, sizeof key.iv);
  return key;
}

// The tag of nothing at all, which tells keys apart.
std::array<std::uint8_t, crypto::aead_tag_bytes> tag_under(const crypto::AeadKey& key) {
  constexpr std::uint8_t nonce[crypto::aead_nonce_bytes] = {};
  std::array<std::uint8_t, crypto::aead_tag_bytes> tag{};
  std::uint8_t nowhere[1];
  key.seal(nowhere, tag.data(), nonce, {}, {}, {});
  return tag;
}

constexpr auto aes_128 = crypto::AeadId::aes_128_gcm;

}  // namespace

TEST_CASE("a key is expanded once, and again when another one took its slot") {
  const auto cache = std::make_unique<KeyCache>();
  TrafficKey first = key_of(1);
  cache->assign(first);
  const auto tag = tag_under(cache->expanded(first, aes_128));
  CHECK(tag_under(cache->expanded(first, aes_128)) == tag);
  CHECK(cache->expansions() == 1);
  TrafficKey second = key_of(2);
  for (std::size_t i = 0; i < KeyCache::slots; i++) cache->assign(second);
  CHECK(tag_under(cache->expanded(second, aes_128)) != tag);
  CHECK(tag_under(cache->expanded(first, aes_128)) == tag);
  CHECK(cache->expansions() == 3);
  CHECK(cache->held() == 1);
}

TEST_CASE("keys of one serial, as there are after 2^32 of them, are told apart") {
  const auto cache = std::make_unique<KeyCache>();
  TrafficKey old = key_of(1);
  cache->assign(old);
  TrafficKey young = key_of(2);
  young.serial = old.serial;
  const auto tag = tag_under(cache->expanded(old, aes_128));
  CHECK(tag_under(cache->expanded(young, aes_128)) != tag);
  cache->forget(old);
  CHECK(cache->held() == 1);  // the young one's
  CHECK(tag_under(cache->expanded(old, aes_128)) == tag);
  cache->forget(old);
  CHECK(cache->held() == 0);
}
