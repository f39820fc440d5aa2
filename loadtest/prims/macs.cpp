// HMAC and HKDF-Expand-Label (RFC 8446 section 7.1) under keys that were prepared before. libcrypto's MAC
// keeps a prepared key too; its TLS13-KDF hashes the key's blocks at every call, and is what libssl calls.
#include <openssl/core_names.h>

#include <signet/crypto/hmac.hpp>
#include <signet/loadtest/prims/case.hpp>
#include <signet/loadtest/prims/openssl.hpp>
#include <signet/tls/key_schedule.hpp>

namespace signet::prims {
namespace {

using crypto::HashId;

/// The text of a MAC: about a digest and a header, and two compressions of SHA-256 in all.
constexpr std::size_t text_bytes = 48;
constexpr std::size_t traffic_key_bytes = 16;

struct Algorithm {
  HashId id;
  const char* name;
};
constexpr Algorithm algorithms[] = {{HashId::sha256, "SHA-256"}, {HashId::sha384, "SHA-384"}};

std::string_view kernel_of(HashId id) {
  return id == HashId::sha256 ? crypto::sha256_kernels().front()->name
                              : crypto::sha512_kernels().front()->name;
}

/// libcrypto's parameters are not const though it only reads them.
OSSL_PARAM text(const char* key, const char* value) {
  return OSSL_PARAM_construct_utf8_string(key, const_cast<char*>(value), 0);
}
OSSL_PARAM octets(const char* key, const void* value, std::size_t bytes) {
  return OSSL_PARAM_construct_octet_string(key, const_cast<void*>(value), bytes);
}

class MacWork {
 public:
  explicit MacWork(const Algorithm& algorithm)
      : text_(pattern(text_bytes, 7)), ours_(crypto::digest_bytes(algorithm.id)), theirs_(ours_.size()) {
    const Octets key = pattern(ours_.size(), 6);
    key_ = crypto::HmacKey(algorithm.id, key);
    const OSSL_PARAM parameters[] = {text(OSSL_MAC_PARAM_DIGEST, algorithm.name), OSSL_PARAM_construct_end()};
    require(EVP_MAC_init(context_.get(), key.data(), key.size(), parameters) == 1, "MAC init");
  }
  void ours() noexcept { crypto::hmac(ours_, key_, text_); }
  void openssl() {
    std::size_t bytes = 0;
    require(EVP_MAC_init(context_.get(), nullptr, 0, nullptr) == 1 &&
                EVP_MAC_update(context_.get(), text_.data(), text_.size()) == 1 &&
                EVP_MAC_final(context_.get(), theirs_.data(), &bytes, theirs_.size()) == 1,
            "MAC");
  }
  bool agrees() {
    ours();
    openssl();
    return ours_ == theirs_;
  }

 private:
  crypto::HmacKey key_;
  Mac mac_{EVP_MAC_fetch(nullptr, "HMAC", nullptr)};
  MacContext context_{EVP_MAC_CTX_new(mac_.get())};
  Octets text_, ours_, theirs_;
};

/// The label "key", as for every traffic key.
class LabelWork {
 public:
  explicit LabelWork(const Algorithm& algorithm)
      : secret_(pattern(crypto::digest_bytes(algorithm.id), 8)),
        key_(algorithm.id, secret_),
        ours_(traffic_key_bytes),
        theirs_(traffic_key_bytes) {
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
        text(OSSL_KDF_PARAM_DIGEST, algorithm.name),
        octets(OSSL_KDF_PARAM_KEY, secret_.data(), secret_.size()),
        octets(OSSL_KDF_PARAM_PREFIX, "tls13 ", 6),
        octets(OSSL_KDF_PARAM_LABEL, "key", 3),
        octets(OSSL_KDF_PARAM_DATA, "", 0),
        OSSL_PARAM_construct_end(),
    };
    require(context_ != nullptr && EVP_KDF_CTX_set_params(context_.get(), parameters) == 1, "KDF parameters");
  }
  void ours() { require(key_.expand(ours_, "key", {}), "our expand"); }
  void openssl() {
    require(EVP_KDF_derive(context_.get(), theirs_.data(), theirs_.size(), nullptr) == 1, "KDF");
  }
  bool agrees() {
    ours();
    openssl();
    return ours_ == theirs_;
  }

 private:
  Octets secret_;
  tls::LabelKey key_;
  Kdf kdf_{EVP_KDF_fetch(nullptr, "TLS13-KDF", nullptr)};
  KdfContext context_{EVP_KDF_CTX_new(kdf_.get())};
  Octets ours_, theirs_;
};

template <class Work>
void add(Cases& cases, const char* prefix, std::size_t bytes, const Algorithm& algorithm) {
  const auto work = std::make_shared<Work>(algorithm);
  Case made;
  made.name = std::string(prefix) + algorithm.name;
  made.bytes = bytes;
  made.kernel = kernel_of(algorithm.id);
  made.ours = batch([work] { work->ours(); });
  made.openssl = batch([work] { work->openssl(); });
  made.agrees = [work] { return work->agrees(); };
  cases.push_back(std::move(made));
}

}  // namespace

void add_mac_cases(Cases& cases) {
  for (const Algorithm& algorithm : algorithms) add<MacWork>(cases, "HMAC-", text_bytes, algorithm);
  for (const Algorithm& algorithm : algorithms) {
    add<LabelWork>(cases, "HKDF-Expand-Label ", traffic_key_bytes, algorithm);
  }
}

}  // namespace signet::prims
