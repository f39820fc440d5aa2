// SHA-2 on every kernel: published values, every split, lengths past 2^32 and 2^64 bits, the constants
// themselves.
#include <algorithm>
#include <array>
#include <functional>

#include <doctest/doctest.h>

#include <signet/crypto/hash.hpp>
#include <signet/crypto/kernels/sha2_constants.hpp>
#include <signet/tests/support/hex.hpp>

using namespace signet;
using namespace signet::crypto;
using test::from_hex;
using test::to_hex;

namespace {

/// One hash on one kernel, whichever its class is.
struct Way {
  std::string name;
  std::size_t digest_bytes;
  // The digest of `data` given in pieces that end at each of `cuts`, then at its end.
  std::function<std::string(base::Bytes data, std::vector<std::size_t> cuts)> digest;
};

template <class Running>
void feed(Running& running, base::Bytes data, const std::vector<std::size_t>& cuts) {
  std::size_t done = 0;
  for (const std::size_t cut : cuts) {
    running.update(data.subspan(done, cut - done));
    done = cut;
  }
  running.update(data.subspan(done));
}

template <class Running>
std::string digest_of(Running running, std::size_t digest_bytes, base::Bytes data,
                      const std::vector<std::size_t>& cuts) {
  std::array<std::uint8_t, 64> digest;
  feed(running, data, cuts);
  if constexpr (std::is_same_v<Running, Sha256>) {
    running.finish(base::MutBytes(digest).first<32>());
  } else {
    running.finish({digest.data(), digest_bytes});
  }
  return to_hex({digest.data(), digest_bytes});
}

std::vector<Way> sha256_ways() {
  std::vector<Way> ways;
  for (const Sha256Kernel* kernel : sha256_kernels()) {
    ways.push_back({"SHA-256 " + std::string(kernel->name), 32, [kernel](base::Bytes data, auto cuts) {
                      return digest_of(Sha256(*kernel), 32, data, cuts);
                    }});
  }
  return ways;
}

std::vector<Way> sha384_ways() {
  std::vector<Way> ways;
  for (const Sha512Kernel* kernel : sha512_kernels()) {
    ways.push_back({"SHA-384 " + std::string(kernel->name), 48, [kernel](base::Bytes data, auto cuts) {
                      return digest_of(Sha512::sha384(*kernel), 48, data, cuts);
                    }});
  }
  return ways;
}

std::vector<Way> sha512_ways() {
  std::vector<Way> ways;
  for (const Sha512Kernel* kernel : sha512_kernels()) {
    ways.push_back({"SHA-512 " + std::string(kernel->name), 64, [kernel](base::Bytes data, auto cuts) {
                      return digest_of(Sha512::sha512(*kernel), 64, data, cuts);
                    }});
  }
  return ways;
}

std::vector<Way> all_ways() {
  std::vector<Way> ways = sha256_ways();
  for (const auto& more : {sha384_ways(), sha512_ways()}) ways.insert(ways.end(), more.begin(), more.end());
  return ways;
}

std::vector<std::uint8_t> counting_bytes(std::size_t n) {
  std::vector<std::uint8_t> bytes(n);
  for (std::size_t i = 0; i < n; i++) bytes[i] = static_cast<std::uint8_t>(i % 251);
  return bytes;
}

// The messages of FIPS 180-4's example computations.
constexpr std::string_view two_blocks_narrow = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
constexpr std::string_view two_blocks_wide =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
    "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu";

void check(const std::vector<Way>& ways, std::string_view message, std::string_view expected) {
  for (const Way& way : ways) {
    CAPTURE(way.name);
    CHECK(way.digest(base::as_bytes(message), {}) == expected);
  }
}

}  // namespace

TEST_CASE("SHA-256 gives the published digests") {
  check(sha256_ways(), "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check(sha256_ways(), "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check(sha256_ways(), two_blocks_narrow, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  check(sha256_ways(), std::string(1000000, 'a'),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-384 gives the published digests") {
  check(sha384_ways(), "",
        "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b");
  check(sha384_ways(), "abc",
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7");
  check(sha384_ways(), two_blocks_wide,
        "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039");
}

TEST_CASE("SHA-512 gives the published digests") {
  check(sha512_ways(), "",
        "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e");
  check(sha512_ways(), "abc",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
  check(sha512_ways(), two_blocks_wide,
        "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909");
  check(sha512_ways(), std::string(1000000, 'a'),
        "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
        "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b");
}

// The digest of the digests of all lengths from 0 to 300, from an independent implementation (Python's
// hashlib).
TEST_CASE("each length up to 300 gives the digest that another implementation gives") {
  for (const Way& way : all_ways()) {
    CAPTURE(way.name);
    std::vector<std::uint8_t> digests;
    for (std::size_t n = 0; n <= 300; n++) {
      const std::vector<std::uint8_t> digest = from_hex(way.digest(counting_bytes(n), {}));
      digests.insert(digests.end(), digest.begin(), digest.end());
    }
    const std::string_view expected =
        way.digest_bytes == 32   ? "b90e35153500e9a471591550ee25a954527c6b4448afff95f7949a2ca93300ce"
        : way.digest_bytes == 48 ? "80e3889f16595105b3522047c1e668b4e51531d98a660101"
                                   "516923ebdb1cf359b8a3bd514465820fa194d12fa7cc37f6"
                                 : "da20b3b598f77f25e2e2d1941e345bfe16543f32378fbc8447fbb64f038964ce"
                                   "a0808c9d450e5e83ac095f5656c102b2ff15a8e0501c7553a7afe1e0256b5e09";
    CHECK(way.digest(digests, {}) == expected);
  }
}

// The sanitizers make this slow: there, every fifth length is enough, since 5 divides no block.
#if defined(SIGNET_SANITIZED)
constexpr std::size_t length_step = 5;
#else
constexpr std::size_t length_step = 1;
#endif

TEST_CASE("each split of each message up to 300 octets gives the same digest") {
  // SHA-384 is left out: its update is SHA-512's.
  std::vector<Way> ways = sha256_ways();
  for (const Way& way : sha512_ways()) ways.push_back(way);
  for (const Way& way : ways) {
    CAPTURE(way.name);
    std::size_t wrong = 0;
    for (std::size_t n = 0; n <= 300; n += length_step) {
      const std::vector<std::uint8_t> message = counting_bytes(n);
      const std::string whole = way.digest(message, {});
      std::vector<std::size_t> octets;
      for (std::size_t cut = 0; cut <= n; cut++) {
        if (way.digest(message, {cut}) != whole) wrong++;
        octets.push_back(cut);
      }
      if (way.digest(message, octets) != whole) wrong++;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("blocks are read at any alignment") {
  const std::vector<std::uint8_t> message = counting_bytes(1000);
  for (const Way& way : all_ways()) {
    CAPTURE(way.name);
    const std::string expected = way.digest(message, {});
    for (std::size_t offset = 0; offset < 64; offset++) {
      std::vector<std::uint8_t> storage(offset + message.size());
      std::copy(message.begin(), message.end(), storage.begin() + static_cast<std::ptrdiff_t>(offset));
      CHECK(way.digest(base::Bytes(storage).subspan(offset), {}) == expected);
    }
  }
}

// "abc" behind blocks that are said to have been there; the expected values are another implementation's.
TEST_CASE("lengths past 2^32 bits and past 2^64 bits are written whole") {
  constexpr Sha256::Midstate narrow = {
      {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
  constexpr Sha512::Midstate wide = {{0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                      0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                      0x1f83d9abfb41bd6b, 0x5be0cd19137e2179}};
  const base::Bytes abc = base::as_bytes("abc");
  CHECK(digest_of(Sha256(narrow, std::uint64_t{5} << 30), 32, abc, {}) ==
        "e6253f72e207f54d5bbab756ccd9bfbd377342c99a552244e40c0f8654867595");
  CHECK(digest_of(Sha512(wide, std::uint64_t{5} << 54), 64, abc, {}) ==
        "53cdc95854255523df877b07e3f5c6b59619d925e27a370a568711ad66e9532e"
        "23f9b8be0d64885a34b678c0c5899782b1876cae329c33ed63c1fcdf3c935b06");
}

TEST_CASE("a copy forks the computation") {
  const std::vector<std::uint8_t> message = counting_bytes(300);
  for (const HashId id : {HashId::sha256, HashId::sha384, HashId::sha512}) {
    for (std::size_t cut = 0; cut <= message.size(); cut++) {
      std::array<std::uint8_t, 64> digest, expected;
      const base::MutBytes digest_view(digest.data(), digest_bytes(id));
      const base::MutBytes expected_view(expected.data(), digest_bytes(id));

      Hash running(id);
      running.update(base::Bytes(message).first(cut));
      Hash snapshot = running;
      snapshot.finish(digest_view);
      hash(expected_view, id, base::Bytes(message).first(cut));
      CHECK(to_hex(digest_view) == to_hex(expected_view));

      running.update(base::Bytes(message).subspan(cut));
      CHECK(running.id() == id);
      running.finish(digest_view);
      hash(expected_view, id, message);
      CHECK(to_hex(digest_view) == to_hex(expected_view));
    }
  }
}

TEST_CASE("a finished state is all zero") {
  std::array<std::uint8_t, 64> digest;
  const auto is_zero = [](const auto& object) {
    const auto* octets = reinterpret_cast<const std::uint8_t*>(&object);
    return std::all_of(octets, octets + sizeof object, [](std::uint8_t octet) { return octet == 0; });
  };
  Sha256 narrow;
  narrow.update(base::as_bytes("secret"));
  narrow.finish(base::MutBytes(digest).first<32>());
  CHECK(is_zero(narrow));
  Sha512 wide = Sha512::sha512();
  wide.update(base::as_bytes("secret"));
  wide.finish(digest);
  CHECK(is_zero(wide));
}

namespace {

/// A number of 256 bits in four limbs, the lowest first.
using Number = std::array<std::uint64_t, 4>;

/// The product modulo 2^256.
Number multiply(const Number& a, const Number& b) {
  Number product{};
  for (std::size_t i = 0; i < 4; i++) {
    unsigned __int128 carry = 0;
    for (std::size_t j = 0; i + j < 4; j++) {
      carry += static_cast<unsigned __int128>(a[i]) * b[j] + product[i + j];
      product[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
  return product;
}

bool at_most(const Number& a, const Number& b) {
  return !std::lexicographical_compare(b.rbegin(), b.rend(), a.rbegin(), a.rend());
}

/// The first 64 bits of the fraction of the cube root of `n`: of the greatest x with x^3 <= n * 2^192.
std::uint64_t cube_root_fraction(std::uint64_t n) {
  std::uint64_t whole = 0;
  while ((whole + 1) * (whole + 1) * (whole + 1) <= n) whole++;
  std::uint64_t fraction = 0;
  for (int bit = 63; bit >= 0; bit--) {
    const Number x = {fraction | std::uint64_t{1} << bit, whole, 0, 0};
    if (at_most(multiply(multiply(x, x), x), {0, 0, 0, n})) fraction = x[0];
  }
  return fraction;
}

bool is_prime(std::uint64_t n) {
  for (std::uint64_t d = 2; d * d <= n; d++) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

}  // namespace

// FIPS 180-4 section 4.2.
TEST_CASE("the round constants are the cube roots of the primes") {
  std::uint64_t prime = 1;
  for (std::size_t i = 0; i < 80; i++) {
    do prime++;
    while (!is_prime(prime));
    const std::uint64_t expected = cube_root_fraction(prime);
    CHECK(sha512_round_constants[i] == expected);
    if (i < 64) CHECK(sha256_round_constants[i] == expected >> 32);
  }
}
