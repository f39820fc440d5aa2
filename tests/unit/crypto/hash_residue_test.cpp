// Keys of HMAC and HKDF are gone from the stack when a function has answered, and keys out of files from the
// heap.
#include <cstdlib>
#include <memory>
#include <new>

#include <doctest/doctest.h>
#include <malloc.h>

#include <signet/crypto/hkdf.hpp>
#include <signet/crypto/private_key.hpp>
#include <signet/tests/support/residue.hpp>

using namespace signet;
using namespace signet::crypto;
using test::Residue;

#if SIGNET_SEES_RESIDUE

namespace {

using Octets = std::vector<std::uint8_t>;

constexpr HashId all_ids[] = {HashId::sha256, HashId::sha384, HashId::sha512};

Octets counting(std::size_t n) {
  Octets octets(n);
  for (std::size_t i = 0; i < n; i++) octets[i] = static_cast<std::uint8_t>(i * 7 + 3);
  return octets;
}

/// Neither of the two midstates, of which 32 octets are looked for: each is as good as the key. A
/// compression's own copy of its first state is not wiped, for speed, and an HMAC's last one begins with the
/// outer one.
void check_no_midstate(const Residue& residue, const HmacKey& key, std::size_t kernel_temporaries) {
  const base::Bytes octets(reinterpret_cast<const std::uint8_t*>(&key), sizeof key);
  CHECK(residue.count(octets.first(32)) == 0);
  CHECK(residue.count(octets.subspan(sizeof(Hash::Midstate), 32)) <= kernel_temporaries);
}

// What the heap's memory held when it was given back.
base::Bytes watched;
std::size_t watched_count = 0;

void give_back(void* p) noexcept {
  if (p != nullptr && !watched.empty()) {
    const base::Bytes memory(static_cast<const std::uint8_t*>(p), malloc_usable_size(p));
    if (std::search(memory.begin(), memory.end(), watched.begin(), watched.end()) != memory.end())
      watched_count++;
  }
  std::free(p);
}

/// How many blocks of the heap still hold `octets` when they are freed during `function`.
template <class Function>
std::size_t count_given_back(base::Bytes octets, Function function) {
  watched = octets;
  watched_count = 0;
  function();
  watched = {};
  return watched_count;
}

}  // namespace

void* operator new(std::size_t n) {
  void* const p = std::malloc(n != 0 ? n : 1);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { give_back(p); }
void operator delete(void* p, std::size_t) noexcept { give_back(p); }

TEST_CASE("residue: an HMAC key is made") {
  for (const HashId id : all_ids) {
    for (const std::size_t n : {std::size_t{32}, std::size_t{200}}) {
      CAPTURE(n);
      const Octets key = counting(n);
      const auto made = std::make_unique<HmacKey>();
      auto make = [&] { new (made.get()) HmacKey(id, key); };
      const Residue residue(make);
      check_no_midstate(residue, *made, 0);
      Octets block(digest_bytes(id));
      hash(block, id, key);
      if (n <= block_bytes(id)) block = key;
      CHECK(residue.count(block) == 0);
      for (std::uint8_t& octet : block) octet ^= 0x36;
      CHECK(residue.count(block) == 0);
      for (std::uint8_t& octet : block) octet ^= 0x36 ^ 0x5c;
      CHECK(residue.count(block) == 0);
    }
  }
}

TEST_CASE("residue: HKDF") {
  for (const HashId id : all_ids) {
    const Octets salt = counting(32);
    const HmacKey key(id, salt);
    Octets out(digest_bytes(id));
    auto extract = [&] { hkdf_extract(out, id, salt, base::as_bytes("secret")); };
    check_no_midstate(Residue(extract), key, 1);

    Octets whole(digest_bytes(id));
    REQUIRE(hkdf_expand(whole, key, base::as_bytes("info")));
    bool expanded = false;
    auto expand = [&] { expanded = hkdf_expand(base::MutBytes(out).first(8), key, base::as_bytes("info")); };
    const Residue residue(expand);
    REQUIRE(expanded);
    CHECK(residue.count(base::Bytes(whole).subspan(8, 16)) == 0);
  }
}

TEST_CASE("residue: a private key out of a file") {
  Octets scalar = counting(32);
  const auto key = P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(scalar.data(), 32));
  REQUIRE(key);
  std::uint8_t sec1[max_sec1_bytes];
  const base::Bytes der(sec1, write_sec1(sec1, *key));
  const std::string good = write_pem("EC PRIVATE KEY", der);
  const std::string bad = good + "-----END X-----\n";
  const std::string two = good + good;

  REQUIRE(count_given_back(scalar, [&] { Octets copy = scalar; }) == 1);
  P256PrivateKey loaded;
  for (const std::string* file : {&good, &bad, &two}) {
    bool ok = false;
    CHECK(count_given_back(scalar, [&] { ok = load_private_key(loaded, base::as_bytes(*file)).ok(); }) == 0);
    CHECK(ok == (file == &good));
    // What was loaded before a failure is gone too.
    if (!ok)
      CHECK(
          std::all_of(loaded.scalar().begin(), loaded.scalar().end(), [](auto octet) { return octet == 0; }));
  }
}

#endif
