// ECDSA and ECDH on P-256. Both sides sign to DER and verify from DER, with their keys read before. A
// signature of ours has 32 fresh random octets in its nonce, as one of a server has; libcrypto draws its own.
#include <signet/crypto/p256.hpp>
#include <signet/crypto/random.hpp>
#include <signet/loadtest/prims/case.hpp>
#include <signet/loadtest/prims/p256_openssl.hpp>
#include <signet/tls/verified_signature.hpp>

namespace signet::prims {
namespace {

using crypto::EcdsaSignature;
using crypto::P256PrivateKey;
using crypto::P256VerifyTable;
using crypto::p256::Kernel;

P256PrivateKey key_of(const Octets& scalar, const Kernel& kernel) {
  const auto key = P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(scalar.data(), 32), kernel);
  require(key.has_value(), "our P-256 key");
  return *key;
}

Octets point_of(const P256PrivateKey& key) {
  Octets point(crypto::p256_point_bytes);
  key.public_key().write(std::span<std::uint8_t, crypto::p256_point_bytes>(point));
  return point;
}

class Work {
 public:
  explicit Work(const Kernel& kernel)
      : kernel_(kernel),
        digest_(pattern(32, 13)),
        key_(key_of(pattern(32, 11), kernel)),
        peer_(key_of(pattern(32, 12), kernel)),
        table_(P256VerifyTable::build_vartime(key_.public_key(), kernel)),
        openssl_(key_.scalar(), point_of(key_), point_of(peer_)) {
    sign();
  }

  void sign() noexcept {
    EcdsaSignature signature;
    make(signature);
    store(signature);
  }
  /// As a server does it: a signature leaves only after it was verified.
  void sign_and_check() {
    EcdsaSignature signature;
    const bool made = tls::sign_verified(
        signature, [&](EcdsaSignature& s) noexcept { make(s); },
        [&](const EcdsaSignature& s) noexcept { return table_.verify_vartime(digest_, s); });
    require(made, "our sign and check");
    store(signature);
  }
  bool verify(const Octets& der) noexcept {
    const auto signature = crypto::ecdsa_from_der_vartime(der);
    return signature && crypto::p256_verify_vartime(key_.public_key(), digest_, *signature, kernel_);
  }
  bool verify_with_table(const Octets& der) noexcept {
    const auto signature = crypto::ecdsa_from_der_vartime(der);
    return signature && table_.verify_vartime(digest_, *signature);
  }
  void build_table() noexcept { table_ = P256VerifyTable::build_vartime(key_.public_key(), kernel_); }
  void ecdh() noexcept { crypto::p256_ecdh(shared_, key_, peer_.public_key(), kernel_); }
  void key_pair() {
    std::uint8_t scalar[32];
    crypto::random_bytes(scalar);
    const auto made = P256PrivateKey::from_scalar(scalar, kernel_);
    require(made.has_value(), "our key pair");  // a random scalar is out of range once in 2^32
    pair_ = *made;
  }

  [[nodiscard]] const Octets& signature() const noexcept { return der_; }
  OpensslP256& openssl() noexcept { return openssl_; }

  /// Each side takes the other's signature and refuses one that was altered.
  template <class Verify>
  bool signatures_agree(Verify&& ours) {
    Octets theirs = openssl_.sign(digest_);
    bool right = openssl_.verify(der_, digest_) && ours(der_) && ours(theirs);
    theirs.back() ^= 1;
    right = right && !ours(theirs) && !openssl_.verify(theirs, digest_);
    return right;
  }
  bool secrets_agree() {
    ecdh();
    std::uint8_t theirs[32];
    openssl_.ecdh(theirs);
    return std::memcmp(shared_, theirs, sizeof theirs) == 0;
  }
  bool pairs_agree() {
    key_pair();
    return OpensslP256::is_pair(pair_.scalar(), point_of(pair_));
  }
  [[nodiscard]] const Octets& digest() const noexcept { return digest_; }

 private:
  void make(EcdsaSignature& signature) noexcept {
    std::uint8_t fresh[32];
    crypto::random_bytes(fresh);
    crypto::p256_sign(signature, key_, digest_, fresh, kernel_);
  }
  void store(const EcdsaSignature& signature) noexcept {
    der_.resize(crypto::max_ecdsa_der_bytes);
    const std::span<std::uint8_t, crypto::max_ecdsa_der_bytes> room(der_);
    der_.resize(crypto::ecdsa_to_der(room, signature));
  }

  const Kernel& kernel_;
  Octets digest_;
  P256PrivateKey key_, peer_, pair_;
  P256VerifyTable table_;
  OpensslP256 openssl_;
  Octets der_;
  std::uint8_t shared_[32] = {};
};

using Shared = std::shared_ptr<Work>;

void add_signing(Cases& cases, const Case& like, const Shared& work) {
  const Batch openssl_sign = batch([work] { work->openssl().sign(work->digest()); });
  Case sign = like;
  sign.name = "P-256 sign";
  sign.ours = batch([work] { work->sign(); });
  sign.openssl = openssl_sign;
  sign.agrees = [work] {
    work->sign();
    return work->signatures_agree([&](const Octets& der) { return work->verify(der); });
  };
  cases.push_back(std::move(sign));

  Case checked = like;
  checked.name = "P-256 sign and check";
  checked.peer = "P-256 sign";
  checked.ours = batch([work] { work->sign_and_check(); });
  checked.openssl = openssl_sign;
  checked.agrees = [work] {
    work->sign_and_check();
    return work->signatures_agree([&](const Octets& der) { return work->verify_with_table(der); });
  };
  cases.push_back(std::move(checked));
}

void add_verifying(Cases& cases, const Case& like, const Shared& work) {
  const Batch openssl_verify =
      batch([work] { require(work->openssl().verify(work->signature(), work->digest()), "verify"); });
  Case verify = like;
  verify.name = "P-256 verify";
  verify.ours = batch([work] { require(work->verify(work->signature()), "our verify"); });
  verify.openssl = openssl_verify;
  verify.agrees = [work] {
    return work->signatures_agree([&](const Octets& der) { return work->verify(der); });
  };
  cases.push_back(std::move(verify));

  Case with_table = like;
  with_table.name = "P-256 verify table";
  with_table.peer = "P-256 verify";
  with_table.ours = batch([work] { require(work->verify_with_table(work->signature()), "our verify"); });
  with_table.openssl = openssl_verify;
  with_table.agrees = [work] {
    return work->signatures_agree([&](const Octets& der) { return work->verify_with_table(der); });
  };
  cases.push_back(std::move(with_table));

  Case table = like;
  table.name = "P-256 table build";
  table.ours = batch([work] { work->build_table(); });
  table.agrees = [work] {
    work->build_table();
    return work->signatures_agree([&](const Octets& der) { return work->verify_with_table(der); });
  };
  cases.push_back(std::move(table));
}

void add_agreement(Cases& cases, const Case& like, const Shared& work) {
  Case ecdh = like;
  ecdh.name = "P-256 ECDH";
  ecdh.ours = batch([work] { work->ecdh(); });
  ecdh.openssl = batch([work] {
    std::uint8_t shared[32];
    work->openssl().ecdh(shared);
  });
  ecdh.agrees = [work] { return work->secrets_agree(); };
  cases.push_back(std::move(ecdh));

  Case pair = like;
  pair.name = "P-256 key pair";
  pair.ours = batch([work] { work->key_pair(); });
  pair.openssl = batch([work] { work->openssl().key_pair(); });
  pair.agrees = [work] { return work->pairs_agree(); };
  cases.push_back(std::move(pair));
}

}  // namespace

void add_p256_cases(Cases& cases, Selection selection) {
  for (const Kernel* kernel : chosen(crypto::p256::kernels(), selection)) {
    const auto work = std::make_shared<Work>(*kernel);
    Case like;
    like.kernel = kernel->name;
    like.is_first = kernel == crypto::p256::kernels().front();
    add_signing(cases, like, work);
    add_verifying(cases, like, work);
    add_agreement(cases, like, work);
  }
}

}  // namespace signet::prims
