// Sealing and opening a record's worth under a key that was expanded before, and the expansion itself.
// libcrypto is called as libssl calls it for TLS 1.3: the nonce, the header as additional data, the text, the
// tag.
#include <algorithm>

#include <signet/crypto/aead.hpp>
#include <signet/loadtest/prims/case.hpp>
#include <signet/loadtest/prims/openssl.hpp>

namespace signet::prims {
namespace {

using crypto::AeadId;
using crypto::AeadKernel;
using crypto::AeadKey;

constexpr std::size_t header_bytes = 5;

struct Algorithm {
  AeadId id;
  const char* name;
  const EVP_CIPHER* (*cipher)();
};

constexpr Algorithm algorithms[] = {
    {AeadId::aes_128_gcm, "AES-128-GCM", EVP_aes_128_gcm},
    {AeadId::aes_256_gcm, "AES-256-GCM", EVP_aes_256_gcm},
    {AeadId::chacha20_poly1305, "ChaCha20-Poly1305", EVP_chacha20_poly1305},
};

/// A message, its sealed form (the tag behind it), and room for what either side makes of them.
class Work {
 public:
  Work(const Algorithm& algorithm, const AeadKernel& kernel, std::size_t bytes)
      : nonce_(pattern(crypto::aead_nonce_bytes, 2)),
        header_(pattern(header_bytes, 3)),
        plain_(pattern(bytes, 4)),
        sealed_(bytes + crypto::aead_tag_bytes),
        our_plain_(bytes),
        their_sealed_(bytes + crypto::aead_tag_bytes),
        their_plain_(bytes),
        bytes_(bytes) {
    const Octets key = pattern(crypto::aead_key_bytes(algorithm.id), 1);
    key_.init(algorithm.id, key, kernel);
    require(
        EVP_EncryptInit_ex(sealer_.get(), algorithm.cipher(), nullptr, key.data(), nonce_.data()) == 1 &&
            EVP_DecryptInit_ex(opener_.get(), algorithm.cipher(), nullptr, key.data(), nonce_.data()) == 1,
        "cipher init");
    seal();
  }

  void seal() noexcept { key_.seal(sealed_.data(), sealed_.data() + bytes_, nonce(), header_, plain_, {}); }
  bool open() noexcept {
    return key_.open(our_plain_.data(), nonce(), header_, {sealed_.data(), bytes_}, sealed_.data() + bytes_);
  }

  void openssl_seal() {
    EVP_CIPHER_CTX* context = sealer_.get();
    std::uint8_t* out = their_sealed_.data();
    int done = 0;
    const bool sealed =
        EVP_EncryptInit_ex(context, nullptr, nullptr, nullptr, nonce_.data()) == 1 &&
        EVP_EncryptUpdate(context, nullptr, &done, header_.data(), header_bytes) == 1 &&
        EVP_EncryptUpdate(context, out, &done, plain_.data(), static_cast<int>(bytes_)) == 1 &&
        EVP_EncryptFinal_ex(context, out + done, &done) == 1 &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, crypto::aead_tag_bytes, out + bytes_) == 1;
    require(sealed, "seal");
  }
  bool openssl_open() {
    EVP_CIPHER_CTX* context = opener_.get();
    std::uint8_t* out = their_plain_.data();
    int done = 0;
    const bool ready =
        EVP_DecryptInit_ex(context, nullptr, nullptr, nullptr, nonce_.data()) == 1 &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, crypto::aead_tag_bytes, &sealed_[bytes_]) == 1 &&
        EVP_DecryptUpdate(context, nullptr, &done, header_.data(), header_bytes) == 1 &&
        EVP_DecryptUpdate(context, out, &done, sealed_.data(), static_cast<int>(bytes_)) == 1;
    require(ready, "open");
    return EVP_DecryptFinal_ex(context, out + done, &done) == 1;
  }

  /// Sealed alike, opened alike, and a wrong tag refused by both.
  bool agrees() {
    seal();
    openssl_seal();
    bool same = sealed_ == their_sealed_ && open() && openssl_open() && our_plain_ == plain_ &&
                their_plain_ == plain_;
    sealed_.back() ^= 1;
    same = same && !open() && !openssl_open();
    sealed_.back() ^= 1;
    return same;
  }

 private:
  [[nodiscard]] std::span<const std::uint8_t, crypto::aead_nonce_bytes> nonce() const noexcept {
    return std::span<const std::uint8_t, crypto::aead_nonce_bytes>(nonce_.data(), crypto::aead_nonce_bytes);
  }

  AeadKey key_;
  CipherContext sealer_{EVP_CIPHER_CTX_new()};
  CipherContext opener_{EVP_CIPHER_CTX_new()};
  Octets nonce_, header_, plain_;
  Octets sealed_, our_plain_, their_sealed_, their_plain_;
  std::size_t bytes_;
};

Case make_case(const Algorithm& algorithm, const char* operation, const AeadKernel& kernel) {
  Case made;
  made.name = std::string(algorithm.name) + " " + operation;
  made.kernel = crypto::aead_kernel_name(kernel);
  made.is_first = &kernel == crypto::aead_kernels(algorithm.id).front();
  return made;
}

void add_size(Cases& cases, const Algorithm& algorithm, const AeadKernel& kernel, std::size_t bytes) {
  const auto work = std::make_shared<Work>(algorithm, kernel, bytes);
  Case seal = make_case(algorithm, "seal", kernel);
  seal.bytes = bytes;
  seal.ours = batch([work] { work->seal(); });
  seal.openssl = batch([work] { work->openssl_seal(); });
  seal.agrees = [work] { return work->agrees(); };
  cases.push_back(std::move(seal));

  Case open = make_case(algorithm, "open", kernel);
  open.bytes = bytes;
  open.ours = batch([work] { require(work->open(), "our open"); });
  open.openssl = batch([work] { require(work->openssl_open(), "open"); });
  open.agrees = [work] { return work->agrees(); };
  cases.push_back(std::move(open));
}

/// What a connection that wakes pays before its first record.
void add_expansion(Cases& cases, const Algorithm& algorithm, const AeadKernel& kernel) {
  struct Expansion {
    AeadKey key;
    Octets octets;
  };
  const auto work = std::make_shared<Expansion>();
  work->octets = pattern(crypto::aead_key_bytes(algorithm.id), 1);
  Case made = make_case(algorithm, "key expansion", kernel);
  made.ours = batch([work, id = algorithm.id, &kernel] { work->key.init(id, work->octets, kernel); });
  made.agrees = [&algorithm, &kernel] { return Work(algorithm, kernel, 100).agrees(); };
  cases.push_back(std::move(made));
}

}  // namespace

void add_aead_cases(Cases& cases, Selection selection) {
  for (const Algorithm& algorithm : algorithms) {
    for (const AeadKernel* kernel : chosen(crypto::aead_kernels(algorithm.id), selection)) {
      for (const std::size_t bytes : message_sizes) add_size(cases, algorithm, *kernel, bytes);
      add_expansion(cases, algorithm, *kernel);
    }
  }
}

}  // namespace signet::prims
