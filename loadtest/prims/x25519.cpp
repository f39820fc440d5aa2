// X25519: the shared secret, and the public key of a secret. Neither side draws random octets here.
#include <signet/crypto/x25519.hpp>
#include <signet/loadtest/prims/case.hpp>
#include <signet/loadtest/prims/openssl.hpp>

namespace signet::prims {
namespace {

using crypto::c25519::Kernel;
using Key = std::span<std::uint8_t, crypto::x25519_bytes>;

class Work {
 public:
  explicit Work(const Kernel& kernel)
      : kernel_(kernel),
        secret_(pattern(32, 9)),
        peer_(32),
        our_secret_(32),
        their_secret_(32),
        our_public_(32) {
    Octets other = pattern(32, 10);
    crypto::x25519_public_key(Key(peer_), Key(other), kernel);
    key_.reset(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret_.data(), secret_.size()));
    peer_key_.reset(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, peer_.data(), peer_.size()));
    require(key_ != nullptr && peer_key_ != nullptr, "X25519 keys");
    context_ = derive_context(key_.get(), peer_key_.get());
  }

  void shared() {
    require(crypto::x25519(Key(our_secret_), Key(secret_), Key(peer_), kernel_), "our X25519");
  }
  void openssl_shared() { derive(context_.get(), their_secret_.data()); }
  void key_pair() noexcept { crypto::x25519_public_key(Key(our_public_), Key(secret_), kernel_); }

  bool secrets_agree() {
    shared();
    openssl_shared();
    return our_secret_ == their_secret_;
  }
  bool public_keys_agree() {
    key_pair();
    Octets theirs(32);
    std::size_t bytes = theirs.size();
    require(EVP_PKEY_get_raw_public_key(key_.get(), theirs.data(), &bytes) == 1, "X25519 public key");
    return our_public_ == theirs;
  }

 private:
  const Kernel& kernel_;
  Octets secret_, peer_, our_secret_, their_secret_, our_public_;
  Pkey key_, peer_key_;
  PkeyContext context_;
};

}  // namespace

void add_x25519_cases(Cases& cases, Selection selection) {
  for (const Kernel* kernel : chosen(crypto::c25519::kernels(), selection)) {
    const auto work = std::make_shared<Work>(*kernel);
    const bool is_first = kernel == crypto::c25519::kernels().front();
    cases.push_back({.name = "X25519 shared secret",
                     .kernel = kernel->name,
                     .is_first = is_first,
                     .peer = {},
                     .ours = batch([work] { work->shared(); }),
                     .openssl = batch([work] { work->openssl_shared(); }),
                     .agrees = [work] { return work->secrets_agree(); }});
    cases.push_back({.name = "X25519 key pair",
                     .kernel = kernel->name,
                     .is_first = is_first,
                     .peer = "X25519 shared secret",
                     .ours = batch([work] { work->key_pair(); }),
                     .openssl = batch([work] { work->openssl_shared(); }),
                     .agrees = [work] { return work->public_keys_agree(); }});
  }
}

}  // namespace signet::prims
