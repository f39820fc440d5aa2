// Digests of whole messages. libcrypto's digest is fetched once and its context kept, as its fastest users
// do.
#include <signet/crypto/hash.hpp>
#include <signet/loadtest/prims/case.hpp>
#include <signet/loadtest/prims/openssl.hpp>

namespace signet::prims {
namespace {

/// libcrypto's side.
class OpensslHash {
 public:
  explicit OpensslHash(const char* algorithm) : digest_(EVP_MD_fetch(nullptr, algorithm, nullptr)) {
    require(digest_ != nullptr && EVP_DigestInit_ex2(context_.get(), digest_.get(), nullptr) == 1, algorithm);
  }
  void operator()(Octets& digest, const Octets& message) {
    unsigned bytes = 0;
    require(EVP_DigestInit_ex2(context_.get(), nullptr, nullptr) == 1 &&
                EVP_DigestUpdate(context_.get(), message.data(), message.size()) == 1 &&
                EVP_DigestFinal_ex(context_.get(), digest.data(), &bytes) == 1 && bytes == digest.size(),
            "digest");
  }

 private:
  Digest digest_;
  DigestContext context_{EVP_MD_CTX_new()};
};

/// `hash(digest, message)` is our side.
template <class OurHash>
struct Work {
  OurHash hash;
  OpensslHash openssl;
  Octets message;
  Octets ours;
  Octets theirs;

  Work(OurHash our_hash, const char* algorithm, std::size_t digest_bytes, std::size_t bytes)
      : hash(our_hash),
        openssl(algorithm),
        message(pattern(bytes, 5)),
        ours(digest_bytes),
        theirs(digest_bytes) {}
};

template <class OurHash>
void add_sizes(Cases& cases, const Case& like, std::size_t digest_bytes, OurHash our_hash) {
  for (const std::size_t bytes : message_sizes) {
    const auto work = std::make_shared<Work<OurHash>>(our_hash, like.name.c_str(), digest_bytes, bytes);
    Case made = like;
    made.bytes = bytes;
    made.ours = batch([work] { work->hash(work->ours, work->message); });
    made.openssl = batch([work] { work->openssl(work->theirs, work->message); });
    made.agrees = [work] {
      work->hash(work->ours, work->message);
      work->openssl(work->theirs, work->message);
      return work->ours == work->theirs;
    };
    cases.push_back(std::move(made));
  }
}

template <class Kernel>
Case like(const char* name, const Kernel& kernel, std::span<const Kernel* const> kernels) {
  Case made;
  made.name = name;
  made.kernel = kernel.name;
  made.is_first = &kernel == kernels.front();
  return made;
}

}  // namespace

void add_hash_cases(Cases& cases, Selection selection) {
  using crypto::Sha256;
  using crypto::Sha512;
  for (const crypto::Sha256Kernel* kernel : chosen(crypto::sha256_kernels(), selection)) {
    add_sizes(cases, like("SHA-256", *kernel, crypto::sha256_kernels()), Sha256::digest_bytes,
              [kernel](Octets& digest, const Octets& message) {
                Sha256 running(*kernel);
                running.update(message);
                running.finish(std::span<std::uint8_t, Sha256::digest_bytes>(digest));
              });
  }
  for (const crypto::Sha512Kernel* kernel : chosen(crypto::sha512_kernels(), selection)) {
    add_sizes(cases, like("SHA-384", *kernel, crypto::sha512_kernels()), Sha512::sha384_digest_bytes,
              [kernel](Octets& digest, const Octets& message) {
                Sha512 running = Sha512::sha384(*kernel);
                running.update(message);
                running.finish(digest);
              });
    add_sizes(cases, like("SHA-512", *kernel, crypto::sha512_kernels()), Sha512::digest_bytes,
              [kernel](Octets& digest, const Octets& message) {
                Sha512 running = Sha512::sha512(*kernel);
                running.update(message);
                running.finish(digest);
              });
  }
}

}  // namespace signet::prims
