// The extensions of every handshake message (RFC 8446 section 4.2): one struct of typed views, one table of
// what is parsed how and may stand where.
#pragma once

#include <optional>

#include <signet/base/result.hpp>
#include <signet/tls/cipher_suite.hpp>
#include <signet/tls/failure.hpp>
#include <signet/tls/wire.hpp>

namespace signet::tls {

enum class ProtocolVersion : std::uint16_t {
  none = 0,
  tls10 = 0x0301,
  tls11 = 0x0302,
  tls12 = 0x0303,
  tls13 = 0x0304
};

/// As access logs write it: "TLSv1.3", "TLSv1" for 1.0; "none" for what is not in the enum.
[[nodiscard]] std::string_view name_of(ProtocolVersion version) noexcept;

/// The extensions that we parse; their numbers are IANA's. All others are carried as they are.
enum class ExtensionId : std::uint16_t {
  server_name = 0,
  supported_groups = 10,
  signature_algorithms = 13,
  application_layer_protocol_negotiation = 16,
  record_size_limit = 28,
  pre_shared_key = 41,
  early_data = 42,
  supported_versions = 43,
  cookie = 44,
  psk_key_exchange_modes = 45,
  signature_algorithms_cert = 50,
  key_share = 51,
};

/// The messages that carry extensions. Values are bits, for the table's "allowed where".
enum class ExtensionPlace : std::uint8_t {
  client_hello = 1,
  server_hello = 2,
  hello_retry_request = 4,
  encrypted_extensions = 8,
  certificate = 16,
  certificate_request = 32,
  new_session_ticket = 64,
};

/// One extension as it lies in a list, whatever it is.
struct RawExtension {
  std::uint16_t id;
  base::Bytes body;
  static RawExtension read(Reader& reader) noexcept;
  void write(Writer& writer) const noexcept;
};

struct KeyShare {
  NamedGroup group = NamedGroup::none;
  base::Bytes key;
  /// An empty key is malformed; its length is otherwise not looked at.
  static KeyShare read(Reader& reader) noexcept;
  void write(Writer& writer) const noexcept;
};

/// The name of an application protocol (RFC 7301); an empty one is malformed.
struct ProtocolName {
  base::Bytes name;
  static ProtocolName read(Reader& reader) noexcept;
  void write(Writer& writer) const noexcept;
};

struct PskIdentity {
  base::Bytes identity;
  std::uint32_t obfuscated_ticket_age;
  static PskIdentity read(Reader& reader) noexcept;
  void write(Writer& writer) const noexcept;
};

struct PskBinder {
  base::Bytes binder;  // 32 to 255 octets
  static PskBinder read(Reader& reader) noexcept;
  void write(Writer& writer) const noexcept;
};

enum class PskMode : std::uint8_t { psk_ke = 0, psk_dhe_ke = 1 };

/// The extensions of one message. Lists are views of their encoded items. A field means something when has()
/// says that its extension is there; set() is for messages that we make.
struct Extensions {
  // ClientHello, and a CertificateRequest its signature algorithms.
  base::Bytes server_name;  ///< host name as sent, not empty; a server's acknowledgement has none
  WordList<NamedGroup> supported_groups;
  WordList<SignatureScheme> signature_algorithms;
  WordList<SignatureScheme> signature_algorithms_cert;
  WordList<ProtocolVersion> supported_versions;
  List<KeyShare> key_shares;
  List<ProtocolName> protocols;
  base::Bytes psk_modes;  ///< octets, see PskMode
  List<PskIdentity> psk_identities;
  List<PskBinder> psk_binders;  ///< as many as identities

  // What a server chose.
  ProtocolVersion selected_version = ProtocolVersion::none;
  NamedGroup selected_group = NamedGroup::none;  ///< HelloRetryRequest
  KeyShare key_share;                            ///< ServerHello
  base::Bytes selected_protocol;                 ///< EncryptedExtensions
  std::uint16_t selected_identity = 0;

  // Either.
  base::Bytes cookie;
  std::uint16_t record_size_limit = 0;     ///< at least 64
  std::uint32_t max_early_data_bytes = 0;  ///< NewSessionTicket's early_data

  /// The list that was parsed, without its length. write() then emits its extensions in its order: parsed
  /// ones anew from the fields above, others as they are. Empty for messages that we make: table order.
  base::Bytes block;
  /// Whole encoded extensions to write besides (before pre_shared_key), for messages that we make.
  base::Bytes others;

  [[nodiscard]] bool has(ExtensionId id) const noexcept { return (present & bit_of(id)) != 0; }
  void set(ExtensionId id) noexcept { present |= bit_of(id); }
  void clear(ExtensionId id) noexcept { present &= ~bit_of(id); }
  /// The body of any extension of `block`, by a walk.
  [[nodiscard]] std::optional<base::Bytes> find(std::uint16_t id) const noexcept;

  /// Parses a list, given without its length. Reasons: message_malformed (no list of extensions),
  /// extension_duplicate, extension_malformed, extension_not_allowed_here, alpn_empty_name,
  /// record_size_limit_too_small, psk_not_last, psk_identities_and_binders_differ. Time is linear in the
  /// list's length.
  [[nodiscard]] static base::Result<Extensions, Failure> parse(base::Bytes list,
                                                               ExtensionPlace place) noexcept;
  /// The list with its length of two octets.
  void write(Writer& writer, ExtensionPlace place) const noexcept;

  std::uint64_t present = 0;

 private:
  static constexpr std::uint64_t bit_of(ExtensionId id) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(id);
  }
};

}  // namespace signet::tls
