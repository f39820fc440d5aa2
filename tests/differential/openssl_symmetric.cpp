// libcrypto's AEADs, hashes, HMAC and HKDF.
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <signet/tests/differential/openssl.hpp>

namespace signet::differential {
namespace {

constexpr std::size_t tag_bytes = 16;

int size_of(const Octets& octets) { return static_cast<int>(octets.size()); }

OSSL_PARAM octets_param(const char* name, const Octets& octets) {
  static std::uint8_t nothing = 0;  // libcrypto takes a null pointer for a missing value
  auto* data = octets.empty() ? &nothing : const_cast<std::uint8_t*>(octets.data());
  return OSSL_PARAM_construct_octet_string(name, data, octets.size());
}

OSSL_PARAM name_param(const char* key, const char* value) {
  return OSSL_PARAM_construct_utf8_string(key, const_cast<char*>(value), 0);
}

bool derive(EVP_KDF* kdf, Octets& out, const OSSL_PARAM* parameters) {
  const std::unique_ptr<EVP_KDF_CTX, Release<EVP_KDF_CTX_free>> context(EVP_KDF_CTX_new(kdf));
  const bool derived = EVP_KDF_derive(context.get(), out.data(), out.size(), parameters) == 1;
  ERR_clear_error();
  return derived;
}

}  // namespace

OpensslAead::OpensslAead(const char* name)
    : cipher_(EVP_CIPHER_fetch(nullptr, name, nullptr)), context_(EVP_CIPHER_CTX_new()) {
  require(cipher_ != nullptr, name);
}

Octets OpensslAead::seal(const Octets& key, const Octets& nonce, const Octets& aad,
                         const Octets& text) const {
  EVP_CIPHER_CTX* c = context_.get();
  Octets sealed(text.size() + tag_bytes);
  int n = 0;
  require(EVP_EncryptInit_ex2(c, cipher_.get(), key.data(), nonce.data(), nullptr) == 1 &&
              (aad.empty() || EVP_EncryptUpdate(c, nullptr, &n, aad.data(), size_of(aad)) == 1) &&
              (text.empty() || EVP_EncryptUpdate(c, sealed.data(), &n, text.data(), size_of(text)) == 1) &&
              EVP_EncryptFinal_ex(c, sealed.data() + text.size(), &n) == 1 &&
              EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, tag_bytes, sealed.data() + text.size()) == 1,
          "seal");
  return sealed;
}

std::optional<Octets> OpensslAead::open(const Octets& key, const Octets& nonce, const Octets& aad,
                                        const Octets& sealed) const {
  EVP_CIPHER_CTX* c = context_.get();
  Octets text(sealed.size() - tag_bytes);
  Octets tag(sealed.end() - tag_bytes, sealed.end());
  int n = 0;
  require(EVP_DecryptInit_ex2(c, cipher_.get(), key.data(), nonce.data(), nullptr) == 1 &&
              (aad.empty() || EVP_DecryptUpdate(c, nullptr, &n, aad.data(), size_of(aad)) == 1) &&
              (text.empty() || EVP_DecryptUpdate(c, text.data(), &n, sealed.data(), size_of(text)) == 1) &&
              EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag.data()) == 1,
          "open");
  std::uint8_t end[16];
  const bool genuine = EVP_DecryptFinal_ex(c, end, &n) == 1;
  ERR_clear_error();
  return genuine ? std::optional(text) : std::nullopt;
}

OpensslHash::OpensslHash(const char* name)
    : name_(name),
      digest_(EVP_MD_fetch(nullptr, name, nullptr)),
      mac_(EVP_MAC_fetch(nullptr, "HMAC", nullptr)),
      mac_context_(EVP_MAC_CTX_new(mac_.get())),
      kdf_(EVP_KDF_fetch(nullptr, "HKDF", nullptr)) {
  require(digest_ != nullptr && mac_context_ != nullptr && kdf_ != nullptr, name);
}

Octets OpensslHash::hash(const Octets& data) const {
  Octets out(static_cast<std::size_t>(EVP_MD_get_size(digest_.get())));
  require(EVP_Digest(data.data(), data.size(), out.data(), nullptr, digest_.get(), nullptr) == 1, "digest");
  return out;
}

Octets OpensslHash::hmac(const Octets& key, const Octets& data) const {
  static const std::uint8_t nothing = 0;
  const OSSL_PARAM parameters[] = {name_param(OSSL_MAC_PARAM_DIGEST, name_), OSSL_PARAM_construct_end()};
  Octets out(static_cast<std::size_t>(EVP_MD_get_size(digest_.get())));
  std::size_t bytes = 0;
  require(
      EVP_MAC_init(mac_context_.get(), key.empty() ? &nothing : key.data(), key.size(), parameters) == 1 &&
          EVP_MAC_update(mac_context_.get(), data.data(), data.size()) == 1 &&
          EVP_MAC_final(mac_context_.get(), out.data(), &bytes, out.size()) == 1,
      "HMAC");
  return out;
}

Octets OpensslHash::hkdf_extract(const Octets& salt, const Octets& ikm) const {
  int mode = EVP_KDF_HKDF_MODE_EXTRACT_ONLY;
  const OSSL_PARAM parameters[] = {name_param(OSSL_KDF_PARAM_DIGEST, name_),
                                   OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
                                   octets_param(OSSL_KDF_PARAM_KEY, ikm),
                                   octets_param(OSSL_KDF_PARAM_SALT, salt), OSSL_PARAM_construct_end()};
  Octets out(static_cast<std::size_t>(EVP_MD_get_size(digest_.get())));
  require(derive(kdf_.get(), out, parameters), "HKDF-Extract");
  return out;
}

std::optional<Octets> OpensslHash::hkdf_expand(const Octets& prk, const Octets& info,
                                               std::size_t bytes) const {
  int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
  const OSSL_PARAM parameters[] = {name_param(OSSL_KDF_PARAM_DIGEST, name_),
                                   OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
                                   octets_param(OSSL_KDF_PARAM_KEY, prk),
                                   octets_param(OSSL_KDF_PARAM_INFO, info), OSSL_PARAM_construct_end()};
  Octets out(bytes);
  return derive(kdf_.get(), out, parameters) ? std::optional(out) : std::nullopt;
}

}  // namespace signet::differential
