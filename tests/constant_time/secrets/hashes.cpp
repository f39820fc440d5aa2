// SHA-2 of secrets on every kernel; HMAC and HKDF under secret keys; the comparison of secrets.
#include "marks.hpp"

#include <signet/crypto/ct.hpp>
#include <signet/crypto/hkdf.hpp>

namespace signet::secrets {
namespace {

constexpr std::string_view done = "the end of the test: it was marked all along";

void run_sha256(const crypto::Sha256Kernel& kernel) {
  begin("SHA-256", kernel.name);
  const Secret<300> data(12);
  std::uint8_t digest[crypto::Sha256::digest_bytes];
  crypto::Sha256 hash(kernel);
  hash.update(data.octets);
  hash.finish(digest);
  reveal(digest, done);
}

void run_sha512(const crypto::Sha512Kernel& kernel) {
  begin("SHA-512", kernel.name);
  const Secret<600> data(13);
  std::uint8_t digest[crypto::Sha512::digest_bytes];
  crypto::Sha512 hash = crypto::Sha512::sha512(kernel);
  hash.update(data.octets);
  hash.finish(digest);
  reveal(digest, done);
}

void run_hmac(crypto::HashId id, base::Bytes key, std::string_view kernel) {
  begin(id == crypto::HashId::sha384 ? "HMAC and HKDF of SHA-384" : "HMAC and HKDF", kernel);
  const Secret<64> input(14);
  std::uint8_t storage[crypto::max_digest_bytes], out[100];
  const base::MutBytes prk(storage, crypto::digest_bytes(id));
  crypto::hkdf_extract(prk, id, key, input.octets);
  const crypto::HmacKey prepared(id, prk);
  require(crypto::hkdf_expand(out, prepared, base::as_bytes("a label")), "HKDF-Expand");
  reveal(out, done);
  crypto::hmac(prk, prepared, input.octets);
  reveal_bytes(prk, done);
}

void run_comparison() {
  begin("comparing secrets", "ct::equal");
  const Secret<48> a(15), b(16);
  bool same = crypto::ct::equal(a.octets, b.octets, 48);
  reveal(same, "whether a Finished message is right decides whether the handshake goes on");
  require(!same, "comparing two secrets that differ");
}

}  // namespace

void run_hashes() {
  for (const auto* kernel : crypto::sha256_kernels()) run_sha256(*kernel);
  for (const auto* kernel : crypto::sha512_kernels()) run_sha512(*kernel);
  const Secret<200> key(17);  // longer than a block: it is hashed first
  for (const crypto::HashId id : {crypto::HashId::sha256, crypto::HashId::sha384, crypto::HashId::sha512}) {
    const bool narrow = id == crypto::HashId::sha256;
    const std::string_view kernel =
        narrow ? crypto::sha256_kernels().front()->name : crypto::sha512_kernels().front()->name;
    run_hmac(id, base::Bytes(key.octets).first(32), kernel);
    run_hmac(id, key.octets, kernel);
  }
  run_comparison();
}

}  // namespace signet::secrets
