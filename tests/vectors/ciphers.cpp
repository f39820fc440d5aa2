// What AEADs are made of: the AES block on every kernel; ChaCha20 and Poly1305 of RFC 8439.
#include <algorithm>

#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/tests/vectors/aead_runs.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {
namespace {

using crypto::AeadId;
using crypto::AeadKernel;

constexpr std::size_t aes_block_bytes = 16;
constexpr std::size_t chacha_block_bytes = 64;

bool encrypts(const AeadKernel& kernel, const Octets& key, const Octets& plain, const Octets& cipher) {
  alignas(64) std::uint8_t expanded[crypto::expanded_key_bytes];
  kernel.expand(expanded, key.data());
  Octets made(plain.size());
  for (std::size_t at = 0; at < plain.size(); at += aes_block_bytes) {
    kernel.encrypt_block(expanded, made.data() + at, plain.data() + at);
  }
  return made == cipher;
}

/// GCM needs the block cipher in one direction, so that a decryption is checked as the encryption it undoes.
void aes_ecb(Report& report, Json document) {
  std::size_t runs = 0;
  std::size_t expected = 0;
  each_case(report, document, "cases", [&](Case& one, Json json) {
    const Octets key = hex(json, "key");
    const auto kernels = crypto::aead_kernels(key.size() == 16 ? AeadId::aes_128_gcm : AeadId::aes_256_gcm);
    expected += kernels.size();
    for (const AeadKernel* kernel : kernels) {
      if (kernel->encrypt_block == nullptr) continue;
      runs++;
      one.expect(encrypts(*kernel, key, hex(json, "pt"), hex(json, "ct")), "another block", kernel->name);
    }
  });
  report.note(std::to_string(runs) + " runs on all AES kernels");
  if (runs != expected) report.fail("kernels", "a kernel has no block function");
}

Octets chacha_stream(Json json, std::size_t bytes) {
  Octets stream;
  const Octets key = hex(json, "key");
  const Octets nonce = hex(json, "nonce");
  auto counter = static_cast<std::uint32_t>(number(json, "counter"));
  while (stream.size() < bytes) {
    std::uint8_t block[chacha_block_bytes];
    crypto::chacha20_block(block, key.data(), counter++, nonce.data());
    stream.insert(stream.end(), block, block + std::min(sizeof block, bytes - stream.size()));
  }
  return stream;
}

void rfc8439(Report& report, Json document) {
  each_case(report, document, "A1_chacha20_block", [](Case& one, Json json) {
    one.expect(chacha_stream(json, chacha_block_bytes) == hex(json, "keystream"), "another block");
  });
  each_case(report, document, "A2_chacha20", [](Case& one, Json json) {
    const Octets plain = hex(json, "plaintext");
    Octets made = chacha_stream(json, plain.size());
    for (std::size_t i = 0; i < plain.size(); i++) made[i] = static_cast<std::uint8_t>(made[i] ^ plain[i]);
    one.expect(made == hex(json, "ciphertext"), "another ciphertext");
  });
  each_case(report, document, "A3_poly1305", [](Case& one, Json json) {
    Octets tag(crypto::aead_tag_bytes);
    crypto::poly1305(tag.data(), hex(json, "key").data(), hex(json, "message"));
    one.expect(tag == hex(json, "tag"), "another tag");
  });
  each_case(report, document, "A4_poly1305_keygen", [](Case& one, Json json) {
    one.expect(chacha_stream(json, 32) == hex(json, "poly1305_key"), "another one-time key");
  });
  AeadRuns runs;
  each_case(report, document, "aead", [&](Case& one, Json json) {
    runs.add(one, AeadId::chacha20_poly1305,
             {{hex(json, "key"), hex(json, "nonce"), hex(json, "aad"), hex(json, "plaintext"),
               hex(json, "ciphertext"), hex(json, "tag")},
              true,
              true});
  });
  runs.finish(report);
}

constexpr File files[] = {
    {"nist/aes_ecb.json", aes_ecb},
    {"rfc/rfc8439.json", rfc8439},
};

}  // namespace

std::span<const File> cipher_files() { return files; }

}  // namespace signet::vectors
