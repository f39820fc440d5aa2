// The key schedule of TLS 1.3 (RFC 8446 section 7): secrets that are used up by what is derived from them.
//
//   EarlySecret --handshake(shared)--> HandshakeSecret --master()--> MasterSecret --resumption(digest)-->
//   Secret
//
// Every secret is prepared once as an HMAC key and all of its labels are expanded under that. Transcript
// digests have the length of the hash. All of it is constant time in the secrets and wiped by its destructor.
#pragma once

#include <utility>

#include <signet/crypto/hmac.hpp>
#include <signet/tls/cipher_suite.hpp>
#include <signet/tls/key_cache.hpp>

namespace signet::tls {

/// SHA-384 is the longest hash of a TLS 1.3 suite.
constexpr std::size_t max_secret_bytes = 48;

/// The octets of one secret. Moving leaves a wiped one behind; copying takes a call.
class Secret {
 public:
  Secret() noexcept = default;
  /// At most max_secret_bytes octets.
  explicit Secret(base::Bytes octets) noexcept;
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { wipe(); }

  [[nodiscard]] base::Bytes bytes() const noexcept { return {octets_, size_}; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// Room for `size` octets that the caller fills.
  [[nodiscard]] base::MutBytes resize(std::size_t size) noexcept;
  void wipe() noexcept;

 private:
  std::uint8_t octets_[max_secret_bytes]{};
  std::uint8_t size_ = 0;
};

/// A secret prepared for HKDF-Expand-Label.
class LabelKey {
 public:
  /// `secret` has the length of a digest of `hash`.
  LabelKey(crypto::HashId hash, base::Bytes secret) noexcept : key_(hash, secret) {}
  LabelKey(LabelKey&& other) noexcept;
  LabelKey& operator=(LabelKey&& other) noexcept;
  ~LabelKey() { key_.wipe(); }

  [[nodiscard]] crypto::HashId hash() const noexcept { return key_.id(); }
  /// HKDF-Expand-Label (RFC 8446 section 7.1); "tls13 " is put before `label`. False, and `out` zero, when
  /// `label` is over 249 octets, `context` over 255 or `out` over 255 digests: never for the labels of this
  /// file.
  [[nodiscard]] bool expand(base::MutBytes out, std::string_view label, base::Bytes context) const noexcept;
  /// A secret of a digest's length: Derive-Secret, given the digest of the messages.
  [[nodiscard]] Secret derive(std::string_view label, base::Bytes digest) const noexcept;

 private:
  crypto::HmacKey key_;
};

struct TrafficSecrets {
  Secret client;
  Secret server;
};

class MasterSecret {
 public:
  explicit MasterSecret(LabelKey key) noexcept : key_(std::move(key)) {}
  /// client_application_traffic_secret_0 and the server's; `digest` up to the server's Finished.
  [[nodiscard]] TrafficSecrets traffic(base::Bytes digest) const noexcept;
  /// exporter_master_secret, of the same digest.
  [[nodiscard]] Secret exporter(base::Bytes digest) const noexcept;
  /// resumption_master_secret; `digest` up to the client's Finished. The last thing that is derived.
  [[nodiscard]] Secret resumption(base::Bytes digest) && noexcept;

 private:
  LabelKey key_;
};

class HandshakeSecret {
 public:
  explicit HandshakeSecret(LabelKey key) noexcept : key_(std::move(key)) {}
  /// The secret of a handshake without a PSK; what comes before `shared` is a constant.
  [[nodiscard]] static HandshakeSecret without_psk(crypto::HashId hash, base::Bytes shared) noexcept;
  /// client_handshake_traffic_secret and the server's; `digest` up to the ServerHello.
  [[nodiscard]] TrafficSecrets traffic(base::Bytes digest) const noexcept;
  [[nodiscard]] MasterSecret master() && noexcept;

 private:
  LabelKey key_;
};

enum class PskKind : std::uint8_t { external, resumption };

class EarlySecret {
 public:
  EarlySecret(crypto::HashId hash, base::Bytes psk) noexcept;
  /// The secret under which this PSK's binder is a Finished.
  [[nodiscard]] Secret binder_key(PskKind kind) const noexcept;
  /// client_early_traffic_secret and early_exporter_master_secret; `digest` of the ClientHello.
  [[nodiscard]] Secret client_traffic(base::Bytes digest) const noexcept;
  [[nodiscard]] Secret exporter(base::Bytes digest) const noexcept;
  /// `shared` is the Diffie-Hellman secret; one digest of zeros in psk_ke mode.
  [[nodiscard]] HandshakeSecret handshake(base::Bytes shared) && noexcept;

 private:
  LabelKey key_;
};

/// Key and IV of a traffic secret (RFC 8446 section 7.3). `key.serial` is left as it is: KeyCache::assign
/// gives it.
void derive_traffic_key(TrafficKey& key, CipherSuite suite, const LabelKey& traffic_secret) noexcept;
void derive_traffic_key(TrafficKey& key, CipherSuite suite, const Secret& traffic_secret) noexcept;

/// verify_data of a Finished, or a binder (RFC 8446 section 4.4.4), of the digest's length: `base_secret` is
/// the sender's handshake traffic secret, or the binder key.
[[nodiscard]] Secret finished_verify_data(const LabelKey& base_secret, base::Bytes digest) noexcept;

/// The traffic secret after a KeyUpdate (RFC 8446 section 7.2).
[[nodiscard]] Secret next_traffic_secret(crypto::HashId hash, const Secret& current) noexcept;

/// The PSK of a ticket (RFC 8446 section 4.6.1).
[[nodiscard]] Secret resumption_psk(crypto::HashId hash, const Secret& resumption_master,
                                    base::Bytes nonce) noexcept;

/// Exported keying material (RFC 8446 section 7.5) of any length; no context is the same as an empty one.
/// False, and `out` zero, when `label` is over 249 octets or `out` over 255 digests.
[[nodiscard]] bool export_keying_material(base::MutBytes out, crypto::HashId hash,
                                          const Secret& exporter_master, std::string_view label,
                                          base::Bytes context) noexcept;

}  // namespace signet::tls
