#include "cases.hpp"

#include <signet/crypto/aead.hpp>
#include <signet/crypto/ct.hpp>
#include <signet/crypto/hmac.hpp>

namespace signet::dudect {
namespace {

using crypto::AeadId;
using crypto::AeadKernel;
using crypto::AeadKey;

constexpr std::size_t record_bytes = 64;
constexpr std::uint8_t nonce[crypto::aead_nonce_bytes] = {4, 5, 6};
constexpr std::uint8_t key_octets[crypto::max_aead_key_bytes] = {7, 8, 9};

struct Record {
  std::uint8_t text[record_bytes];
  std::uint8_t tag[crypto::aead_tag_bytes];
};

Record sealed_record(const AeadKey& key) noexcept {
  Record record = {};
  key.seal(record.text, record.tag, nonce, {}, record.text, {});
  return record;
}

// Both classes are wrong: the fixed one in its last bit alone, where a comparison that ends early ends last.
void add_tag_check(std::vector<Case>& cases, const std::string& name, AeadId id, const AeadKernel& kernel) {
  AeadKey key;
  key.init(id, base::Bytes(key_octets).first(crypto::aead_key_bytes(id)), kernel);
  const Record record = sealed_record(key);
  const auto prepare = [record](Input& input, bool fixed, Random& random) {
    random.fill(input.octets);
    if (!fixed) return;
    std::memcpy(input.octets, record.tag, sizeof record.tag);
    input.octets[sizeof record.tag - 1] ^= 1;
  };
  const auto run = [key, record](Input& input) {
    std::uint8_t plaintext[record_bytes];
    keep(key.open(plaintext, nonce, {}, record.text, input.octets));
    keep(plaintext);
  };
  cases.push_back({name + " tag check", std::string(crypto::aead_kernel_name(kernel)), prepare, run});
}

// Zeros, against random octets.
void prepare_zeros(Input& input, bool fixed, Random& random) {
  random.fill(input.octets);
  if (fixed) std::memset(input.octets, 0, sizeof input.octets);
}

// Key expansion, encryption and authentication of a record under a key that is part of it: portable AES, and
// what valgrind does not run.
void add_seal(std::vector<Case>& cases, const std::string& name, AeadId id, const AeadKernel& kernel) {
  const auto run = [id, &kernel](Input& input) {
    AeadKey key;
    std::uint8_t tag[crypto::aead_tag_bytes];
    key.init(id, base::Bytes(input.octets).first(crypto::aead_key_bytes(id)), kernel);
    key.seal(input.octets, tag, nonce, {}, input.octets, {});
    keep(tag);
  };
  cases.push_back(
      {name + " key and seal", std::string(crypto::aead_kernel_name(kernel)), prepare_zeros, run});
}

// Likewise for SHA-NI, which runs HMAC where there is one.
void add_hmac(std::vector<Case>& cases) {
  const auto run = [](Input& input) {
    std::uint8_t tag[crypto::Sha256::digest_bytes];
    crypto::hmac(tag, crypto::HmacKey(crypto::HashId::sha256, input.octets), input.octets);
    keep(tag);
  };
  cases.push_back({"HMAC", std::string(crypto::sha256_kernels().front()->name), prepare_zeros, run});
}

void add_aead(std::vector<Case>& cases, const std::string& name, AeadId id) {
  for (const auto* kernel : crypto::aead_kernels(id)) {
    add_tag_check(cases, name, id, *kernel);
    add_seal(cases, name, id, *kernel);
  }
}

// A Finished message's: the fixed class differs in the last octet alone.
void add_comparison(std::vector<Case>& cases) {
  const auto prepare = [](Input& input, bool fixed, Random& random) {
    random.fill(input.octets);
    if (!fixed) return;
    std::memset(input.octets, 0, sizeof input.octets);
    input.octets[31] = 1;
  };
  const auto run = [](Input& input) {
    constexpr std::uint8_t zeros[32] = {};
    keep(crypto::ct::equal(input.octets, zeros, sizeof zeros));
  };
  cases.push_back({"comparing secrets", "ct::equal", prepare, run});
}

}  // namespace

void add_ciphers(std::vector<Case>& cases) {
  add_aead(cases, "AES-128-GCM", AeadId::aes_128_gcm);
  add_aead(cases, "ChaCha20-Poly1305", AeadId::chacha20_poly1305);
  add_hmac(cases);
  add_comparison(cases);
}

}  // namespace signet::dudect
