// The transcript hash (RFC 8446 section 4.4.1).
#pragma once

#include <array>

#include <signet/crypto/hash.hpp>

namespace signet::tls {

/// A digest with its length.
struct Digest {
  std::array<std::uint8_t, crypto::max_digest_bytes> octets{};
  std::size_t size = 0;

  [[nodiscard]] base::Bytes bytes() const noexcept { return base::Bytes(octets).first(size); }
};

/// A running hash of handshake messages, headers included.
class Transcript {
 public:
  explicit Transcript(crypto::HashId hash) noexcept : hash_(hash) {}

  [[nodiscard]] crypto::HashId hash() const noexcept { return hash_.id(); }
  /// Adds messages, or any part of them.
  void add(base::Bytes messages) noexcept { hash_.update(messages); }
  /// Puts a message_hash message in place of what was added, which is the first ClientHello; to be called
  /// before a HelloRetryRequest is added.
  void replace_by_message_hash() noexcept;
  /// The digest so far; the transcript goes on.
  [[nodiscard]] Digest digest() const noexcept;
  /// The digest as if `more` were added; the transcript stays as it is. For PSK binders.
  [[nodiscard]] Digest digest_with(base::Bytes more) const noexcept;

 private:
  crypto::Hash hash_;
};

}  // namespace signet::tls
