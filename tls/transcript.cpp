#include <signet/tls/transcript.hpp>

namespace signet::tls {
namespace {

Digest finish(crypto::Hash hash) noexcept {
  Digest digest;
  digest.size = crypto::digest_bytes(hash.id());
  hash.finish(base::MutBytes(digest.octets).first(digest.size));
  return digest;
}

}  // namespace

void Transcript::replace_by_message_hash() noexcept {
  constexpr std::uint8_t message_hash = 254;
  const Digest first_hello = digest();
  const std::array<std::uint8_t, 4> header = {message_hash, 0, 0,
                                              static_cast<std::uint8_t>(first_hello.size)};
  hash_ = crypto::Hash(hash());
  add(header);
  add(first_hello.bytes());
}

Digest Transcript::digest() const noexcept { return finish(hash_); }

Digest Transcript::digest_with(base::Bytes more) const noexcept {
  crypto::Hash fork = hash_;
  fork.update(more);
  return finish(fork);
}

}  // namespace signet::tls
