#include <array>

#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/message_samples.hpp>
#include <signet/tls/messages/certificate.hpp>
#include <signet/tls/messages/certificate_request.hpp>
#include <signet/tls/messages/certificate_verify.hpp>
#include <signet/tls/messages/client_hello.hpp>
#include <signet/tls/messages/encrypted_extensions.hpp>
#include <signet/tls/messages/end_of_early_data.hpp>
#include <signet/tls/messages/finished.hpp>
#include <signet/tls/messages/key_update.hpp>
#include <signet/tls/messages/new_session_ticket.hpp>
#include <signet/tls/messages/server_hello.hpp>

namespace signet::test {
namespace {

using namespace tls;
using Octets = std::vector<std::uint8_t>;

const Octets random_octets(32, 0x52);
const Octets session_id(32, 0x53);
const Octets suites = from_hex("0a0a 1301 1302 1303 00ff");  // a GREASE value and a signalling one among them
const Octets null_compression = {0};
const Octets groups = from_hex("1a1a 001d 0017 6399");
const Octets schemes = from_hex("0403 0804 0401 7a7a");
const Octets versions = from_hex("2a2a 0304 0303");
// A GREASE share of one octet, then X25519.
const Octets shares = from_hex("1a1a 0001 00 001d 0020" + std::string(64, '7'));
const Octets protocols = from_hex("02 6832 08 687474702f312e31");
const Octets psk_modes = {1};
const Octets cookie = from_hex("c00c1e");
const Octets identities = from_hex("0003 aabbcc 01020304 0001 dd 05060708");
const Octets binders = from_hex("20" + std::string(64, '1') + "21" + std::string(66, '2'));
// GREASE without content, ALPS-like content, renegotiation_info.
const Octets unknown = from_hex("3a3a 0000 4469 0005 0003026832 ff01 0001 00");

template <class Message>
MessageSample sample(std::string name, const Message& message) {
  MessageSample made{std::move(name), Octets(4096)};
  Writer writer(made.message);
  message.write(writer);
  made.message.resize(writer.size());
  return made;
}

ClientHello plain_client_hello() {
  ClientHello hello;
  hello.random = random_octets;
  hello.session_id = session_id;
  hello.cipher_suites = WordList<CipherSuite>(suites);
  hello.compression_methods = null_compression;
  return hello;
}

ClientHello full_client_hello() {
  ClientHello hello = plain_client_hello();
  Extensions& e = hello.extensions;
  for (const ExtensionId id :
       {ExtensionId::server_name, ExtensionId::supported_groups, ExtensionId::signature_algorithms,
        ExtensionId::signature_algorithms_cert, ExtensionId::application_layer_protocol_negotiation,
        ExtensionId::record_size_limit, ExtensionId::supported_versions, ExtensionId::cookie,
        ExtensionId::psk_key_exchange_modes, ExtensionId::key_share, ExtensionId::early_data,
        ExtensionId::pre_shared_key}) {
    e.set(id);
  }
  e.server_name = base::as_bytes("127.0.0.1");
  e.supported_groups = WordList<NamedGroup>(groups);
  e.signature_algorithms = WordList<SignatureScheme>(schemes);
  e.signature_algorithms_cert = WordList<SignatureScheme>(schemes);
  e.protocols = List<ProtocolName>(protocols);
  e.record_size_limit = 16385;
  e.supported_versions = WordList<ProtocolVersion>(versions);
  e.cookie = cookie;
  e.psk_modes = psk_modes;
  e.key_shares = List<KeyShare>(shares);
  e.psk_identities = List<PskIdentity>(identities);
  e.psk_binders = List<PskBinder>(binders);
  e.others = unknown;
  return hello;
}

ServerHello server_hello(bool retry) {
  ServerHello hello;
  hello.random = retry ? base::Bytes(hello_retry_random) : base::Bytes(random_octets);
  hello.session_id_echo = session_id;
  hello.suite = CipherSuite::aes_128_gcm_sha256;
  hello.extensions.set(ExtensionId::supported_versions);
  hello.extensions.selected_version = ProtocolVersion::tls13;
  hello.extensions.set(ExtensionId::key_share);
  hello.extensions.selected_group = NamedGroup::secp256r1;
  hello.extensions.key_share = {NamedGroup::x25519, random_octets};
  hello.extensions.set(retry ? ExtensionId::cookie : ExtensionId::pre_shared_key);
  hello.extensions.cookie = cookie;
  hello.extensions.selected_identity = 1;
  return hello;
}

EncryptedExtensions encrypted_extensions() {
  EncryptedExtensions message;
  Extensions& e = message.extensions;
  e.set(ExtensionId::server_name);
  e.set(ExtensionId::supported_groups);
  e.set(ExtensionId::application_layer_protocol_negotiation);
  e.set(ExtensionId::record_size_limit);
  e.set(ExtensionId::early_data);
  e.supported_groups = WordList<NamedGroup>(groups);
  e.selected_protocol = base::as_bytes("http/1.1");
  e.record_size_limit = 64;
  return message;
}

// Two certificates, the first with an OCSP response's extension.
CertificateMessage certificates() {
  static const Octets entries = from_hex("000003 308201 0008 0005 0004 01000000 000002 3080 0000");
  return {base::as_bytes("context"), List<CertificateEntry>(entries)};
}

CertificateRequest certificate_request() {
  CertificateRequest message;
  message.request_context = base::as_bytes("context");
  message.extensions.set(ExtensionId::signature_algorithms);
  message.extensions.signature_algorithms = WordList<SignatureScheme>(schemes);
  return message;
}

NewSessionTicket ticket() {
  NewSessionTicket message;
  message.lifetime_seconds = 7200;
  message.age_add = 0xfad6aac5;
  message.nonce = psk_modes;
  message.ticket = random_octets;
  message.extensions.set(ExtensionId::early_data);
  message.extensions.max_early_data_bytes = 1024;
  return message;
}

}  // namespace

std::vector<MessageSample> message_samples() {
  ClientHello old_hello = plain_client_hello();
  old_hello.has_extensions = false;
  ServerHello old_answer = server_hello(false);
  old_answer.has_extensions = false;
  return {
      sample("ClientHello", full_client_hello()),
      sample("ClientHello without extensions", old_hello),
      sample("ServerHello", server_hello(false)),
      sample("ServerHello without extensions", old_answer),
      sample("HelloRetryRequest", server_hello(true)),
      sample("EncryptedExtensions", encrypted_extensions()),
      sample("Certificate", certificates()),
      sample("CertificateRequest", certificate_request()),
      sample("CertificateVerify", CertificateVerify{SignatureScheme::ecdsa_secp256r1_sha256, random_octets}),
      sample("Finished", Finished{random_octets}),
      sample("KeyUpdate", KeyUpdate{true}),
      sample("NewSessionTicket", ticket()),
      sample("EndOfEarlyData", EndOfEarlyData{})};
}

}  // namespace signet::test
