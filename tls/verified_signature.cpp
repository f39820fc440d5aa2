#include <signet/crypto/random.hpp>
#include <signet/crypto/sha2.hpp>
#include <signet/tls/verified_signature.hpp>

namespace signet::tls {

bool sign_content(std::span<std::uint8_t, crypto::max_ecdsa_der_bytes> der, std::size_t& der_bytes,
                  const crypto::P256PrivateKey& key, const crypto::P256VerifyTable& table,
                  base::Bytes content) noexcept {
  std::uint8_t digest[crypto::Sha256::digest_bytes];
  crypto::Sha256 hash;
  hash.update(content);
  hash.finish(digest);
  const auto sign = [&](crypto::EcdsaSignature& signature) noexcept {
    std::uint8_t fresh[32];
    crypto::random_bytes(fresh);
    crypto::p256_sign(signature, key, digest, fresh);
    base::wipe(fresh);
  };
  const auto verify = [&](const crypto::EcdsaSignature& signature) noexcept {
    return table.verify_vartime(digest, signature);
  };
  crypto::EcdsaSignature signature;
  const bool made = sign_verified(signature, sign, verify);
  der_bytes = made ? crypto::ecdsa_to_der(der, signature) : 0;
  return made;
}

}  // namespace signet::tls
