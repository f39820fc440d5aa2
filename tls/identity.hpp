// Who a server is: its chain of certificates and the key of the first. Made at start-up or reload, never
// changed after that; many connections and threads read one at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <signet/base/result.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/tls/host_names.hpp>

namespace signet::tls {

/// Why an identity could not be made. The caller puts the input's file name before the line.
struct IdentityFault {
  enum class Input : std::uint8_t { chain, key };
  Input input = Input::chain;
  std::size_t line = 0;  // of the text, from 1; 0 when the file is DER or the fault has no one place
  std::string reason;    // one sentence without its stop
};

/// The whole Certificate message, header included; a bound that keeps a handshake's flight in its send buffer
/// even in the smallest records that a client may ask for.
constexpr std::size_t max_certificate_message_bytes = 48'000;

class Identity {
  struct Private {};

 public:
  using Loaded = base::Result<std::shared_ptr<const Identity>, IdentityFault>;

  /// From a chain file (PEM: its CERTIFICATE blocks, others are passed over; or DER certificates one behind
  /// the other) and a key file (crypto/private_key.hpp), at `now` in seconds since the epoch. Refused, each
  /// with its reason: what does not parse, a certificate that the next one did not issue (issuer and subject
  /// octet by octet), a leaf whose key is not P-256, is not the private key's or may not sign, or with more
  /// than max_host_names names, a date that `now` is not within, a message over
  /// max_certificate_message_bytes. Signatures in the chain are the client's to verify.
  [[nodiscard]] static Loaded load(base::Bytes chain_file, base::Bytes key_file, std::int64_t now) noexcept;

  /// The same from certificates and a key in memory. The caller wipes its own copy of the key.
  [[nodiscard]] static Loaded make(const std::vector<std::vector<std::uint8_t>>& chain,
                                   const crypto::P256PrivateKey& key, std::int64_t now) noexcept;

  Identity(Private, const std::vector<std::vector<std::uint8_t>>& chain, const crypto::P256PrivateKey& key);
  ~Identity();
  Identity(const Identity&) = delete;
  Identity& operator=(const Identity&) = delete;

  /// The TLS 1.3 Certificate message with its handshake header, ready to be sent: empty request context, no
  /// extensions (RFC 8446 section 4.4.2).
  [[nodiscard]] base::Bytes certificate_message() const noexcept { return certificate_message_; }
  [[nodiscard]] std::size_t certificate_count() const noexcept { return certificates_.size(); }
  /// DER; 0 is the leaf.
  [[nodiscard]] base::Bytes certificate(std::size_t index) const noexcept { return certificates_[index]; }

  /// The names of the leaf that a host can match, in its order. Empty for a leaf that says no host (without
  /// subjectAltName, or with malformed and other names only): covers() is then 0 for every host, and whoever
  /// refuses hosts asks here first, since such a leaf rules none out.
  [[nodiscard]] std::span<const HostName> names() const noexcept { return names_; }

  /// Whether the leaf is for `host` (no port; an IPv6 address in brackets or bare): index + 1 of the name of
  /// names() that covers it, 0 for none, as covering_name() decides. `first` is tried first: a connection
  /// remembers what its last host matched, and each further request with it costs one comparison. Allocates
  /// nothing. Any number of threads may call it at once.
  [[nodiscard]] std::uint8_t covers(std::string_view host, std::uint8_t first) const noexcept {
    return covering_name(names_, host, first);
  }

  /// The ECDSA signature over SHA-256 of `content` (RFC 8446 section 4.4.3: 64 blanks, context string, 0,
  /// transcript hash), as DER in the first `der_bytes` octets of `der`. False when no signature could be made
  /// that verifies, and then `der_bytes` is 0. Constant time in the key. Any number of threads may call it at
  /// once.
  [[nodiscard]] bool sign(std::span<std::uint8_t, crypto::max_ecdsa_der_bytes> der, std::size_t& der_bytes,
                          base::Bytes content) const noexcept;

 private:
  std::vector<std::uint8_t> certificate_message_;
  std::vector<base::Bytes> certificates_;  // views into certificate_message_
  std::vector<HostName> names_;            // views into it too
  crypto::P256PrivateKey key_;
  crypto::P256VerifyTable table_;  // of the own key: verifying before sending is cheap
};

}  // namespace signet::tls
