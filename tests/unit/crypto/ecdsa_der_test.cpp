// The DER form of ECDSA signatures: one encoding for each, and everything else refused.
#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/p256.hpp>
#include <signet/tests/support/slow_numbers.hpp>

using namespace signet;
using namespace signet::crypto;
using test::from_hex;
using test::to_hex;

namespace {

using Octets = std::vector<std::uint8_t>;

EcdsaSignature signature(std::string_view r, std::string_view s) {
  EcdsaSignature result{};
  const Octets r_octets = from_hex(r);
  const Octets s_octets = from_hex(s);
  std::copy(r_octets.begin(), r_octets.end(),
            std::end(result.r) - static_cast<std::ptrdiff_t>(r_octets.size()));
  std::copy(s_octets.begin(), s_octets.end(),
            std::end(result.s) - static_cast<std::ptrdiff_t>(s_octets.size()));
  return result;
}

std::string encoded(const EcdsaSignature& s) {
  std::uint8_t der[max_ecdsa_der_bytes];
  return to_hex(base::Bytes(der, ecdsa_to_der(der, s)));
}

bool parses(std::string_view hex) { return ecdsa_from_der_vartime(from_hex(hex)).has_value(); }

}  // namespace

TEST_CASE("ecdsa der: the encoding is minimal") {
  CHECK(encoded(signature("01", "7f")) == "300602010102017f");
  CHECK(encoded(signature("80", "ff")) == "300802020080020200ff");
  CHECK(encoded(signature("00", "0100")) == "300702010002020100");
}

TEST_CASE("ecdsa der: the longest signature has 72 octets") {
  const std::string ones(64, 'f');
  CHECK(encoded(signature(ones, ones)) == "3046022100" + ones + "022100" + ones);
}

TEST_CASE("ecdsa der: what was written is read back") {
  test::Numbers random(15);
  for (std::size_t length = 1; length <= 32; length++) {
    EcdsaSignature s{};
    for (std::size_t i = 0; i < length; i++) {
      s.r[31 - i] = static_cast<std::uint8_t>(random.word());
      s.s[32 - length + i] = static_cast<std::uint8_t>(random.word());
    }
    const auto back = ecdsa_from_der_vartime(from_hex(encoded(s)));
    REQUIRE(back);
    CHECK(to_hex(back->r) == to_hex(s.r));
    CHECK(to_hex(back->s) == to_hex(s.s));
  }
}

TEST_CASE("ecdsa der: every other form is refused") {
  REQUIRE(parses("3006020101020102"));
  CHECK_FALSE(parses(""));
  CHECK_FALSE(parses("30"));
  CHECK_FALSE(parses("3000"));
  CHECK_FALSE(parses("300602010102010200"));      // octets behind the sequence
  CHECK_FALSE(parses("300702010102010200"));      // octets behind s
  CHECK_FALSE(parses("3009020101020102020103"));  // a third integer
  CHECK_FALSE(parses("3003020101"));              // one integer
  CHECK_FALSE(parses("3106020101020102"));        // a set
  CHECK_FALSE(parses("3006030101020102"));        // a bit string
  CHECK_FALSE(parses("3006020101040102"));        // an octet string
  CHECK_FALSE(parses("308106020101020102"));      // lengths in the long form
  CHECK_FALSE(parses("300702810101020102"));
  CHECK_FALSE(parses("30800201010201020000"));  // indefinite length
  CHECK_FALSE(parses("3006020181020102"));      // a negative r
  CHECK_FALSE(parses("3006020101020180"));      // a negative s
  CHECK_FALSE(parses("30050200020102"));        // no octets
  CHECK_FALSE(parses("300702020001020102"));    // a needless zero
  CHECK_FALSE(parses("300702010102020001"));
  CHECK_FALSE(parses("3005020101020102"));  // lengths that lie
  CHECK_FALSE(parses("3007020101020102"));
  CHECK_FALSE(parses("3006020401020102"));
}

TEST_CASE("ecdsa der: more than 256 bits are refused") {
  const std::string ones(64, 'f');
  CHECK(parses("3026022100" + ones + "020101"));
  CHECK_FALSE(parses("3026022101" + ones + "020101"));
  CHECK_FALSE(parses("3027022200ff" + ones + "020101"));
}

TEST_CASE("ecdsa der: cut at every octet it is refused") {
  const Octets whole = from_hex("3026022100" + std::string(64, 'f') + "020101");
  for (std::size_t n = 0; n < whole.size(); n++)
    CHECK_FALSE(ecdsa_from_der_vartime(base::Bytes(whole).first(n)));
}
