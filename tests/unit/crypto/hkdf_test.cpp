// HKDF: RFC 5869, the bounds of the output, and the definition written out.
#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/hkdf.hpp>
#include <signet/tests/support/hex.hpp>

using namespace signet;
using namespace signet::crypto;
using test::from_hex;
using test::to_hex;

namespace {

constexpr HashId all_ids[] = {HashId::sha256, HashId::sha384, HashId::sha512};

using Octets = std::vector<std::uint8_t>;

Octets extract(HashId id, base::Bytes salt, base::Bytes ikm) {
  Octets prk(digest_bytes(id));
  hkdf_extract(prk, id, salt, ikm);
  return prk;
}

Octets expand(HashId id, base::Bytes prk, base::Bytes info, std::size_t n) {
  Octets out(n);
  REQUIRE(hkdf_expand(out, HmacKey(id, prk), info));
  return out;
}

/// RFC 5869 section 2.3, each block as its own MAC of one concatenated message.
Octets expand_by_definition(HashId id, base::Bytes prk, base::Bytes info, std::size_t n) {
  const HmacKey key(id, prk);
  Octets out, previous;
  for (std::uint8_t number = 1; out.size() < n; number++) {
    Octets message = previous;
    message.insert(message.end(), info.begin(), info.end());
    message.push_back(number);
    previous.resize(digest_bytes(id));
    hmac(previous, key, message);
    out.insert(out.end(), previous.begin(), previous.end());
  }
  out.resize(n);
  return out;
}

Octets range(std::uint8_t first, std::size_t n) {
  Octets bytes(n);
  for (std::size_t i = 0; i < n; i++) bytes[i] = static_cast<std::uint8_t>(first + i);
  return bytes;
}

}  // namespace

// RFC 5869 appendices A.1 to A.3.
TEST_CASE("HKDF with SHA-256 gives the published keys") {
  const Octets prk1 = extract(HashId::sha256, range(0x00, 13), Octets(22, 0x0b));
  CHECK(to_hex(prk1) == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
  CHECK(to_hex(expand(HashId::sha256, prk1, range(0xf0, 10), 42)) ==
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");

  const Octets prk2 = extract(HashId::sha256, range(0x60, 80), range(0x00, 80));
  CHECK(to_hex(prk2) == "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244");
  CHECK(to_hex(expand(HashId::sha256, prk2, range(0xb0, 80), 82)) ==
        "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
        "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87");

  const Octets prk3 = extract(HashId::sha256, {}, Octets(22, 0x0b));
  CHECK(to_hex(prk3) == "19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04");
  CHECK(to_hex(expand(HashId::sha256, prk3, {}, 42)) ==
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
}

// Wycheproof, hkdf_sha384_test, case 6.
TEST_CASE("HKDF with SHA-384 gives the published key") {
  const Octets prk = extract(HashId::sha384, {}, from_hex("55fb6dcc7802354e55a45a6e41858c05"));
  CHECK(to_hex(expand(HashId::sha384, prk, from_hex("dcd590e418b259c64fb9e139b3a1280d5de8400b"), 64)) ==
        "aeedc066b0ff9bd6fc13cba752a2fe8d2ffb9f013236d737e8e0031c4a5f287c"
        "67c6e7f0005d7766a2d7a4965c8c6c1e83c00f873f61002711969c709a4a0d66");
}

TEST_CASE("outputs of all lengths follow the definition, and nothing behind them is written") {
  for (const HashId id : all_ids) {
    const Octets prk = range(1, digest_bytes(id));
    const HmacKey key(id, prk);
    for (std::size_t n = 0; n <= 3 * digest_bytes(id) + 1; n++) {
      CAPTURE(n);
      Octets out(n + 16, 0xee);
      REQUIRE(hkdf_expand(base::MutBytes(out).first(n), key, base::as_bytes("info")));
      CHECK(std::all_of(out.begin() + static_cast<std::ptrdiff_t>(n), out.end(),
                        [](std::uint8_t octet) { return octet == 0xee; }));
      out.resize(n);
      CHECK(out == expand_by_definition(id, prk, base::as_bytes("info"), n));
    }
  }
}

TEST_CASE("255 digests are the most that can be asked for") {
  for (const HashId id : all_ids) {
    const Octets prk = range(1, digest_bytes(id));
    const std::size_t most = 255 * digest_bytes(id);
    CHECK(expand(id, prk, base::as_bytes("info"), most) ==
          expand_by_definition(id, prk, base::as_bytes("info"), most));
    Octets out(most + 1, 0xee);
    CHECK_FALSE(hkdf_expand(out, HmacKey(id, prk), base::as_bytes("info")));
    CHECK(out == Octets(most + 1, 0xee));
  }
}

TEST_CASE("an empty salt is a digest of zeros, and the output may lie over the input") {
  for (const HashId id : all_ids) {
    Octets secret = range(9, digest_bytes(id));
    const Octets expected = extract(id, {}, secret);
    CHECK(extract(id, Octets(digest_bytes(id), 0), secret) == expected);
    hkdf_extract(secret, id, {}, secret);
    CHECK(secret == expected);
  }
}
