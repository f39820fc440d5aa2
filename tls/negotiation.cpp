#include <algorithm>

#include <signet/tls/negotiation.hpp>

namespace signet::tls {
namespace {

constexpr std::array suite_preference = {CipherSuite::aes_128_gcm_sha256, CipherSuite::aes_256_gcm_sha384,
                                         CipherSuite::chacha20_poly1305_sha256};
constexpr std::array group_preference = {NamedGroup::x25519, NamedGroup::secp256r1};

// RFC 8446 sections 4.2.1 and D.5.
base::Result<void, Failure> check_version(const ClientHello& hello) noexcept {
  if (static_cast<std::uint16_t>(hello.legacy_version) <= 0x0300)
    return Failure(Reason::legacy_version_wrong);
  if (!hello.offers(ProtocolVersion::tls13)) return Failure(Reason::version_not_offered);
  return {};
}

// RFC 8446 section 9.2: without a PSK that we accept, these are needed.
base::Result<void, Failure> check_mandatory(const Extensions& extensions) noexcept {
  if (!extensions.has(ExtensionId::signature_algorithms))
    return Failure(Reason::signature_algorithms_missing);
  if (!extensions.has(ExtensionId::supported_groups)) return Failure(Reason::supported_groups_missing);
  if (!extensions.has(ExtensionId::key_share)) return Failure(Reason::key_share_missing);
  return {};
}

base::Result<void, Failure> check_psk(const Extensions& extensions) noexcept {
  const bool psk = extensions.has(ExtensionId::pre_shared_key);
  if (psk && !extensions.has(ExtensionId::psk_key_exchange_modes)) return Failure(Reason::psk_modes_missing);
  if (!psk && extensions.has(ExtensionId::early_data)) return Failure(Reason::early_data_without_psk);
  return {};
}

CipherSuite choose_suite(const WordList<CipherSuite>& offered) noexcept {
  // A client that lists ChaCha20 first of those we know has no AES instructions.
  for (const CipherSuite suite : offered) {
    if (!known(suite)) continue;
    if (suite == CipherSuite::chacha20_poly1305_sha256) return suite;
    break;
  }
  for (const CipherSuite suite : suite_preference) {
    if (offered.contains(suite)) return suite;
  }
  return CipherSuite::none;
}

// The client's share of `group`; RFC 8446 section 4.2.8 allows one, and only of a group that was offered.
base::Result<base::Bytes, Failure> find_share(const Extensions& extensions, NamedGroup group) noexcept {
  base::Bytes found;
  for (const KeyShare& share : extensions.key_shares) {
    if (share.group != group) continue;
    if (!found.empty()) return Failure(Reason::key_share_duplicate);
    found = share.key;
  }
  if (found.empty()) return found;
  if (!extensions.supported_groups.contains(group)) return Failure(Reason::key_share_not_in_groups);
  if (found.size() != key_share_bytes(group)) return Failure(Reason::key_share_length_wrong);
  return found;
}

base::Result<void, Failure> choose_group(Choice& choice, const Extensions& extensions) noexcept {
  for (const NamedGroup group : group_preference) {
    const auto share = find_share(extensions, group);
    if (!share.ok()) return share.error();
    if (!choice.share.empty()) continue;
    const bool offered = extensions.supported_groups.contains(group);
    if (!share->empty() || (offered && choice.group == NamedGroup::none)) choice.group = group;
    choice.share = *share;
  }
  if (choice.group == NamedGroup::none) return Failure(Reason::no_common_group);
  return {};
}

// RFC 7301 section 3.2: the server's order decides.
base::Result<std::string_view, Failure> choose_protocol(const ServerSettings& settings,
                                                        const Extensions& extensions) noexcept {
  const bool asked = extensions.has(ExtensionId::application_layer_protocol_negotiation);
  if (!asked || settings.protocols.empty()) return std::string_view();
  for (const std::string_view ours : settings.protocols) {
    for (const ProtocolName& theirs : extensions.protocols) {
      if (base::as_text(theirs.name) == ours) return ours;
    }
  }
  return Failure(Reason::no_common_protocol);
}

// RFC 8449 section 4: the limit counts the inner content type.
void choose_record_size(Choice& choice, const Extensions& extensions) noexcept {
  if (!extensions.has(ExtensionId::record_size_limit)) return;
  choice.record_size_limit_offered = true;
  const std::size_t limit = extensions.record_size_limit - inner_type_bytes;
  choice.max_plaintext = static_cast<std::uint16_t>(std::min(limit, max_plaintext_bytes));
}

// What a second ClientHello may change: RFC 8446 section 4.1.2, and padding (RFC 7685).
bool may_change(std::uint16_t id) noexcept {
  constexpr std::uint16_t padding = 21;
  switch (static_cast<ExtensionId>(id)) {
    case ExtensionId::key_share:
    case ExtensionId::early_data:
    case ExtensionId::cookie:
    case ExtensionId::pre_shared_key:
      return true;
    default:
      return id == padding;
  }
}

void add_vector(crypto::Sha256& hash, base::Bytes bytes) noexcept {
  std::uint8_t length[2];
  base::store_be16(length, static_cast<std::uint16_t>(bytes.size()));
  hash.update(length);
  hash.update(bytes);
}

}  // namespace

base::Result<Choice, Failure> negotiate(const ServerSettings& settings, const ClientHello& hello) noexcept {
  const Extensions& extensions = hello.extensions;
  if (const auto version = check_version(hello); !version) return version.error();
  if (const auto psk = check_psk(extensions); !psk) return psk.error();
  if (const auto mandatory = check_mandatory(extensions); !mandatory) return mandatory.error();
  Choice choice;
  choice.suite = choose_suite(hello.cipher_suites);
  if (choice.suite == CipherSuite::none) return Failure(Reason::no_common_suite);
  if (const auto group = choose_group(choice, extensions); !group) return group.error();
  if (!extensions.signature_algorithms.contains(SignatureScheme::ecdsa_secp256r1_sha256)) {
    return Failure(Reason::no_common_signature);
  }
  const auto protocol = choose_protocol(settings, extensions);
  if (!protocol) return protocol.error();
  choice.protocol = *protocol;
  choose_record_size(choice, extensions);
  return choice;
}

HelloFingerprint fingerprint(const ClientHello& hello) noexcept {
  crypto::Sha256 hash;
  std::uint8_t version[2];
  base::store_be16(version, static_cast<std::uint16_t>(hello.legacy_version));
  hash.update(version);
  hash.update(hello.random);
  add_vector(hash, hello.session_id);
  add_vector(hash, hello.cipher_suites.encoded());
  add_vector(hash, hello.compression_methods);
  for (const RawExtension& extension : List<RawExtension>(hello.extensions.block)) {
    if (may_change(extension.id)) continue;
    std::uint8_t id[2];
    base::store_be16(id, extension.id);
    hash.update(id);
    add_vector(hash, extension.body);
  }
  HelloFingerprint digest;
  hash.finish(digest);
  return digest;
}

}  // namespace signet::tls
