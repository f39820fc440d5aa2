// Published values, refusals and the choice of kernel; the ways of overlap are in aead_ways_test.cpp.
#include <algorithm>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/crypto/kernels/kernel_counter.hpp>
#include <signet/tests/support/aead_ways.hpp>
#include <signet/tests/support/hex.hpp>

using namespace signet;
using namespace signet::crypto;
using test::AeadCase;
using test::from_hex;
using test::Octets;

namespace {

constexpr std::size_t refused_lengths[] = {0, 1, 15, 16, 17, 240, 300, 1350};
constexpr AeadId all_ids[] = {AeadId::aes_128_gcm, AeadId::aes_256_gcm, AeadId::chacha20_poly1305};

struct Published {
  const char* name;
  AeadId id;
  AeadCase values;
};

std::vector<Published> published_cases() {
  const Octets zero_nonce(12);
  const Octets gcm_key = from_hex("feffe9928665731c6d6a8f9467308308");
  const Octets gcm_key_256 = from_hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
  const Octets gcm_nonce = from_hex("cafebabefacedbaddecaf888");
  const Octets gcm_aad = from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
  const Octets gcm_text = from_hex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
      "b16aedf5aa0de657ba637b39");
  std::vector<Published> cases;
  cases.push_back({"GCM specification, test case 1",
                   AeadId::aes_128_gcm,
                   {Octets(16), zero_nonce, {}, {}, {}, from_hex("58e2fccefa7e3061367f1d57a4e7455a")}});
  cases.push_back({"GCM specification, test case 2",
                   AeadId::aes_128_gcm,
                   {Octets(16),
                    zero_nonce,
                    {},
                    Octets(16),
                    from_hex("0388dace60b6a392f328c2b971b2fe78"),
                    from_hex("ab6e47d42cec13bdf53a67b21257bddf")}});
  cases.push_back(
      {"GCM specification, test case 4",
       AeadId::aes_128_gcm,
       {gcm_key, gcm_nonce, gcm_aad, gcm_text,
        from_hex("42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5a"
                 "ac84aa051ba30b396a0aac973d58e091"),
        from_hex("5bc94fbc3221a5db94fae95ae7121a47")}});
  cases.push_back(
      {"GCM specification, test case 16",
       AeadId::aes_256_gcm,
       {gcm_key_256, gcm_nonce, gcm_aad, gcm_text,
        from_hex("522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b10"
                 "56828838c5f61e6393ba7a0abcc9f662"),
        from_hex("76fc6ece0f4e1768cddf8853bb2d551b")}});
  const std::string_view sunscreen =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen "
      "would be "
      "it.";
  cases.push_back(
      {"RFC 8439 section 2.8.2",
       AeadId::chacha20_poly1305,
       {from_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"),
        from_hex("070000004041424344454647"), from_hex("50515253c0c1c2c3c4c5c6c7"),
        Octets(sunscreen.begin(), sunscreen.end()),
        from_hex("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69"
                 "da92728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad67594"
                 "5585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b6116"),
        from_hex("1ae10b594f09e26a7e902ecbd0600691")}});
  return cases;
}

AeadKey make_key(AeadId id, const Octets& key, const AeadKernel& kernel) {
  AeadKey expanded;
  expanded.init(id, key, kernel);
  return expanded;
}

/// A message of `n` octets, sealed by the portable kernel.
AeadCase make_case(AeadId id, std::size_t n) {
  AeadCase c{
      Octets(aead_key_bytes(id), 0x42), Octets(12, 0x24), Octets(5, 0x17), Octets(n), Octets(n), Octets(16)};
  for (std::size_t i = 0; i < n; i++) c.plaintext[i] = static_cast<std::uint8_t>(i * 31);
  const AeadKey key = make_key(id, c.key, *aead_kernels(id).back());
  key.seal(c.ciphertext.data(), c.tag.data(), c.nonce_span(), c.aad, c.plaintext, {});
  return c;
}

void flip_bit(Octets& octets, std::size_t bit) {
  octets[bit / 8] = static_cast<std::uint8_t>(octets[bit / 8] ^ (1U << (bit % 8)));
}

}  // namespace

TEST_CASE("aead: published values on every kernel, in every way") {
  for (const Published& published : published_cases()) {
    for (const AeadKernel* kernel : aead_kernels(published.id)) {
      const AeadKey key = make_key(published.id, published.values.key, *kernel);
      for (const test::AeadWay& way : test::aead_ways) {
        CAPTURE(published.name);
        CAPTURE(kernel->name);
        CAPTURE(way.name);
        CHECK(test::seals_in_way(key, published.values, 0, way));
        CHECK(test::opens_in_way(key, published.values, true, way));
      }
    }
  }
}

TEST_CASE("aes: the examples of FIPS 197 appendix C on every kernel") {
  const Octets plaintext = from_hex("00112233445566778899aabbccddeeff");
  const Octets key = from_hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
  const auto encrypts = [&](AeadId id, const char* ciphertext) {
    for (const AeadKernel* kernel : aead_kernels(id)) {
      CAPTURE(kernel->name);
      alignas(64) std::uint8_t expanded[expanded_key_bytes];
      Octets block(16);
      kernel->expand(expanded, key.data());
      kernel->encrypt_block(expanded, block.data(), plaintext.data());
      CHECK(block == from_hex(ciphertext));
    }
  };
  encrypts(AeadId::aes_128_gcm, "69c4e0d86a7b0430d8cdb78070b4c55a");
  encrypts(AeadId::aes_256_gcm, "8ea2b7ca516745bfeafc49904b496089");
}

TEST_CASE("chacha20: the block of RFC 8439 section 2.3.2") {
  Octets key(32);
  for (std::size_t i = 0; i < key.size(); i++) key[i] = static_cast<std::uint8_t>(i);
  Octets block(64);
  chacha20_block(block.data(), key.data(), 1, from_hex("000000090000004a00000000").data());
  CHECK(block == from_hex("10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
                          "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"));
}

TEST_CASE("poly1305: the message of RFC 8439 section 2.5.2, and sums at the edge of the field") {
  const auto tag_of = [](const Octets& key, base::Bytes message) {
    Octets tag(16);
    poly1305(tag.data(), key.data(), message);
    return test::to_hex(tag);
  };
  CHECK(tag_of(from_hex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"),
               base::as_bytes("Cryptographic Forum Research Group")) == "a8061dc1305136c6c22b8baf0c0127a9");
  // RFC 8439 appendix A.3, cases 7 and 9: a sum just over 2^130 - 5 and one just under it.
  Octets key(32);
  key[0] = 1;
  CHECK(tag_of(key, from_hex("fffffffffffffffffffffffffffffffff0ffffffffffffffffffffffffffffff"
                             "11000000000000000000000000000000")) == "05000000000000000000000000000000");
  key[0] = 2;
  CHECK(tag_of(key, from_hex("fdffffffffffffffffffffffffffffff")) == "faffffffffffffffffffffffffffffff");
}

TEST_CASE("aead: a changed bit of tag, text or additional data is refused and dst wiped, on every kernel") {
  const test::AeadWay& in_place = test::aead_ways[0];
  for (const AeadId id : all_ids) {
    for (const std::size_t n : refused_lengths) {
      const AeadCase good = make_case(id, n);
      for (const AeadKernel* kernel : aead_kernels(id)) {
        CAPTURE(kernel->name);
        CAPTURE(n);
        const AeadKey key = make_key(id, good.key, *kernel);
        REQUIRE(test::opens_in_way(key, good, true, in_place));
        for (std::size_t bit = 0; bit < 128; bit++) {
          AeadCase bad = good;
          flip_bit(bad.tag, bit);
          CHECK(test::opens_in_way(key, bad, false, in_place));
        }
        for (std::size_t bit = 0; bit < 8 * n; bit += 61) {
          AeadCase bad = good;
          flip_bit(bad.ciphertext, bit);
          CHECK(test::opens_in_way(key, bad, false, test::aead_ways[bit % std::size(test::aead_ways)]));
        }
        for (std::size_t bit = 0; bit < 8 * good.aad.size(); bit++) {
          AeadCase bad = good;
          flip_bit(bad.aad, bit);
          CHECK(test::opens_in_way(key, bad, false, in_place));
        }
        AeadCase bad = good;
        flip_bit(bad.nonce, 95);
        CHECK(test::opens_in_way(key, bad, false, in_place));
      }
    }
  }
}

TEST_CASE("aead: additional data of any length gives the portable kernel's tag") {
  for (const AeadId id : all_ids) {
    for (std::size_t n = 0; n <= 70; n++) {
      AeadCase c = make_case(id, 33);
      c.aad.assign(n, static_cast<std::uint8_t>(n));
      const AeadKey portable = make_key(id, c.key, *aead_kernels(id).back());
      portable.seal(c.ciphertext.data(), c.tag.data(), c.nonce_span(), c.aad, c.plaintext, {});
      for (const AeadKernel* kernel : aead_kernels(id)) {
        CAPTURE(kernel->name);
        CAPTURE(n);
        const AeadKey key = make_key(id, c.key, *kernel);
        CHECK(test::seals_in_way(key, c, 1, test::aead_ways[0]));
        CHECK(test::opens_in_way(key, c, true, test::aead_ways[0]));
      }
    }
  }
}

TEST_CASE("aead: tail and tag may lie where dst ends") {
  for (const AeadId id : all_ids) {
    const AeadCase c = make_case(id, 40);
    for (const AeadKernel* kernel : aead_kernels(id)) {
      CAPTURE(kernel->name);
      Octets buffer = c.plaintext;  // src and tail are contiguous here, and dst covers both
      buffer.resize(c.plaintext.size() + aead_tag_bytes);
      const AeadKey key = make_key(id, c.key, *kernel);
      const base::Bytes src(buffer.data(), 30);
      key.seal(buffer.data(), buffer.data() + 40, c.nonce_span(), c.aad, src, {buffer.data() + 30, 10});
      CHECK(std::equal(c.ciphertext.begin(), c.ciphertext.end(), buffer.begin()));
      CHECK(std::equal(c.tag.begin(), c.tag.end(), buffer.begin() + 40));
    }
  }
}

TEST_CASE("aead: wiping leaves nothing of the key") {
  for (const AeadId id : all_ids) {
    for (const AeadKernel* kernel : aead_kernels(id)) {
      AeadKey key = make_key(id, Octets(32, 0x5C), *kernel);
      CHECK(&key.kernel() == kernel);
      key.wipe();
      Octets octets(sizeof key);
      std::memcpy(octets.data(), &key, sizeof key);
      CHECK(std::count(octets.begin(), octets.begin() + expanded_key_bytes, 0) == expanded_key_bytes);
    }
  }
}

TEST_CASE("aead: the kernel that is named first runs, once a record") {
  for (const AeadId id : all_ids) {
    const AeadCase c = make_case(id, 1000);
    AeadKey key;
    key.init(id, c.key);
    CHECK(&key.kernel() == aead_kernels(id).front());
    if (!kernels_are_counted) continue;
    const std::string_view name = aead_kernel_name(key.kernel());
    const std::uint64_t before = kernel_runs(name);
    CHECK(test::seals_in_way(key, c, 1, test::aead_ways[0]));
    CHECK(kernel_runs(name) == before + 1);
    CHECK(test::opens_in_way(key, c, true, test::aead_ways[0]));
    CHECK(kernel_runs(name) == before + 2);
  }
}

TEST_CASE("aead: denied features take their kernels away, and the portable one is always there") {
  const char* variable = std::getenv("SIGNET_CPU_DENY");
  const std::string denied = "," + std::string(variable == nullptr ? "" : variable) + ",";
  const auto is_denied = [&](const char* feature) {
    return denied.find("," + std::string(feature) + ",") != std::string::npos;
  };
  for (const AeadId id : all_ids) {
    CHECK(aead_kernel_name(*aead_kernels(id).back()).ends_with("-portable"));
    for (const AeadKernel* kernel : aead_kernels(id)) {
      if (is_denied("vaes") || is_denied("vpclmul")) CHECK(kernel->name != "aes-gcm-vaes");
      if (is_denied("aesni") || is_denied("pclmul")) CHECK(kernel->name != "aes-gcm-aesni");
      if (is_denied("aes") || is_denied("pmull")) CHECK(kernel->name != "aes-gcm-armv8");
      if (is_denied("avx2")) CHECK(kernel->name != "aes-gcm-vaes");
      if (is_denied("avx2")) CHECK(kernel->name != "chacha20-poly1305-avx2");
      for (const char* feature : {"aesni", "pclmul", "avx2", "vaes", "vpclmul", "avx512f", "avx512bw"}) {
        if (is_denied(feature)) CHECK(kernel->name != "aes-gcm-vaes512");
      }
      for (const char* feature : {"avx2", "bmi2", "avx512f", "avx512bw", "avx512ifma"}) {
        if (is_denied(feature)) CHECK(kernel->name != "chacha20-poly1305-avx512");
      }
    }
  }
}
