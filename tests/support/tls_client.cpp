#include <algorithm>

#include <signet/crypto/p256.hpp>
#include <signet/crypto/random.hpp>
#include <signet/tests/support/tls_client.hpp>
#include <signet/tls/certificate.hpp>
#include <signet/tls/messages/certificate.hpp>
#include <signet/tls/messages/certificate_verify.hpp>
#include <signet/tls/messages/encrypted_extensions.hpp>
#include <signet/tls/messages/finished.hpp>
#include <signet/tls/messages/key_update.hpp>
#include <signet/tls/messages/server_hello.hpp>

namespace signet::test {
namespace {

using tls::ContentType;
using tls::ExtensionId;
using tls::HandshakeType;

constexpr std::size_t message_room = 32 * 1024;

template <class Value>
Octets words(const std::vector<Value>& values) {
  Octets octets;
  for (const Value value : values) {
    const auto word = static_cast<std::uint16_t>(value);
    octets.push_back(static_cast<std::uint8_t>(word >> 8));
    octets.push_back(static_cast<std::uint8_t>(word));
  }
  return octets;
}

template <class Message>
Octets written(const Message& message) {
  Octets octets(message_room);
  tls::Writer writer(octets);
  message.write(writer);
  octets.resize(writer.size());
  return octets;
}

void append(Octets& to, base::Bytes from) { to.insert(to.end(), from.begin(), from.end()); }

Octets protocol_list(const std::vector<std::string>& names) {
  Octets list;
  for (const std::string& name : names) {
    list.push_back(static_cast<std::uint8_t>(name.size()));
    append(list, base::as_bytes(name));
  }
  return list;
}

// A ticket and a binder that no server has ever seen.
constexpr std::uint8_t made_up_identity[] = {0, 4, 't', 'i', 'c', 'k', 0, 0, 0, 1};
Octets made_up_binder() {
  Octets binder(33, 0xb1);
  binder[0] = 32;
  return binder;
}

}  // namespace

TlsClient::TlsClient(ClientOptions options)
    : options_(std::move(options)), session_id_(options_.session_id_bytes), random_(32) {
  crypto::random_bytes(session_id_);
  crypto::random_bytes(random_);
  make_shares(options_.shares);
  write_hello();
}

TlsClient::~TlsClient() { core_.wipe(keys_); }

void TlsClient::make_shares(const std::vector<tls::NamedGroup>& groups) {
  shares_.clear();
  for (const tls::NamedGroup group : groups) shares_.push_back(std::make_unique<tls::EphemeralKey>(group));
}

void TlsClient::write_hello() {
  const Octets suites = words(options_.suites), groups = words(options_.groups),
               schemes = words(options_.schemes), versions = words(options_.versions),
               protocols = protocol_list(options_.protocols);
  Octets shares(message_room);
  tls::Writer share_writer(shares);
  for (const auto& key : shares_) tls::KeyShare{key->group(), key->share()}.write(share_writer);
  constexpr std::uint8_t no_compression = 0;
  constexpr std::uint8_t dhe_mode = 1;
  const Octets binder = made_up_binder();

  tls::ClientHello hello;
  hello.random = random_;
  hello.session_id = session_id_;
  hello.cipher_suites = tls::WordList<tls::CipherSuite>(suites);
  hello.compression_methods = {&no_compression, 1};
  tls::Extensions& e = hello.extensions;
  const auto set_if = [&e](bool there, ExtensionId id) {
    if (there) e.set(id);
  };
  e.server_name = base::as_bytes(options_.server_name);
  set_if(!options_.server_name.empty(), ExtensionId::server_name);
  e.supported_groups = tls::WordList<tls::NamedGroup>(groups);
  set_if(!groups.empty(), ExtensionId::supported_groups);
  e.signature_algorithms = tls::WordList<tls::SignatureScheme>(schemes);
  set_if(!schemes.empty(), ExtensionId::signature_algorithms);
  e.supported_versions = tls::WordList<tls::ProtocolVersion>(versions);
  set_if(!versions.empty(), ExtensionId::supported_versions);
  e.key_shares = tls::List<tls::KeyShare>(share_writer.written());
  e.set(ExtensionId::key_share);
  e.protocols = tls::List<tls::ProtocolName>(protocols);
  set_if(!protocols.empty(), ExtensionId::application_layer_protocol_negotiation);
  e.record_size_limit = options_.record_size_limit;
  set_if(options_.record_size_limit != 0, ExtensionId::record_size_limit);
  set_if(options_.early_data, ExtensionId::pre_shared_key);
  set_if(options_.early_data && !retried_, ExtensionId::early_data);
  set_if(options_.early_data, ExtensionId::psk_key_exchange_modes);
  e.psk_modes = {&dhe_mode, 1};
  e.psk_identities = tls::List<tls::PskIdentity>(made_up_identity);
  e.psk_binders = tls::List<tls::PskBinder>(binder);
  e.others = options_.others;
  client_hello_ = written(hello);
  send_plain(ContentType::handshake, client_hello_);
}

Octets TlsClient::take_output() {
  Octets octets;
  octets.swap(output_);
  return octets;
}

void TlsClient::receive(base::Bytes octets) {
  append(input_, octets);
  while (fault_.empty() && input_.size() >= tls::record_header_bytes) {
    const std::size_t record = tls::record_header_bytes + tls::RecordHeader::parse(input_.data()).length;
    if (input_.size() < record) return;
    const Octets whole(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(record));
    input_.erase(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(record));
    on_record(whole);
  }
}

void TlsClient::on_record(base::Bytes record) {
  const tls::RecordHeader header = tls::RecordHeader::parse(record.data());
  if (header.type != ContentType::application_data) {
    if (core_.read_protected && header.type == ContentType::handshake) fail("handshake record in the clear");
    return on_content(header.type, record.subspan(tls::record_header_bytes));
  }
  if (!core_.read_protected) return fail("protected record too early");
  Octets plain(record.size());
  const auto opened = tls::open_record(plain.data(), core_.read, core_.read_key(keys_), record.data(),
                                       tls::max_plaintext_bytes + 1);
  if (!opened) return fail("record: " + std::string(tls::name_of(opened.error().reason)));
  largest_record_ = std::max(largest_record_, opened->plain);
  on_content(opened->type, {plain.data(), opened->plain});
}

void TlsClient::on_content(ContentType type, base::Bytes content) {
  switch (type) {
    case ContentType::change_cipher_spec:
      return;
    case ContentType::handshake:
      append(messages_, content);
      return serve_messages();
    case ContentType::application_data:
      if (!established_ && !hold_finished_) return fail("application data before the Finished");
      return append(received_, content);
    case ContentType::alert: {
      if (content.size() != 2) return fail("malformed alert");
      const auto alert = static_cast<tls::Alert>(content[1]);
      if (alert == tls::Alert::close_notify) {
        peer_closed_ = true;
      } else {
        alert_ = alert;
      }
      return;
    }
    default:
      return fail("unknown content type");
  }
}

void TlsClient::serve_messages() {
  while (fault_.empty()) {
    const auto header = tls::HandshakeHeader::peek(messages_);
    if (!header || messages_.size() < header->message_bytes()) return;
    const auto end = messages_.begin() + static_cast<std::ptrdiff_t>(header->message_bytes());
    const Octets message(messages_.begin(), end);
    messages_.erase(messages_.begin(), end);
    on_message(header->type, message);
  }
}

void TlsClient::on_message(HandshakeType type, base::Bytes message) {
  if (established_ && type == HandshakeType::key_update) return on_key_update(message.subspan(4));
  constexpr HandshakeType order[] = {HandshakeType::server_hello, HandshakeType::encrypted_extensions,
                                     HandshakeType::certificate, HandshakeType::certificate_verify,
                                     HandshakeType::finished};
  if (expected_message_ >= std::size(order) || order[expected_message_] != type)
    return fail("message out of order");
  const base::Bytes body = message.subspan(tls::handshake_header_bytes);
  expected_message_++;
  switch (type) {
    case HandshakeType::server_hello:
      return on_server_hello(message);
    case HandshakeType::encrypted_extensions: {
      const auto parsed = tls::EncryptedExtensions::parse(body);
      if (!parsed) return fail("EncryptedExtensions");
      protocol_ = std::string(base::as_text(parsed->extensions.selected_protocol));
      break;
    }
    case HandshakeType::certificate: {
      const auto parsed = tls::CertificateMessage::parse(body);
      if (!parsed || parsed->entries.empty()) return fail("Certificate");
      const base::Bytes leaf = (*parsed->entries.begin()).certificate;
      leaf_.assign(leaf.begin(), leaf.end());
      break;
    }
    case HandshakeType::certificate_verify:
      on_certificate_verify(body);
      break;
    default:
      return on_finished(message);
  }
  transcript_->add(message);
}

void TlsClient::on_server_hello(base::Bytes message) {
  const auto hello = tls::ServerHello::parse(message.subspan(tls::handshake_header_bytes));
  if (!hello) return fail("ServerHello");
  if (base::as_text(hello->session_id_echo) != base::as_text(session_id_)) return fail("session id");
  core_.suite = hello->suite;
  if (!transcript_) {
    transcript_.emplace(tls::hash_of(hello->suite));
    transcript_->add(client_hello_);
  }
  if (hello->is_retry()) return on_retry(hello->extensions.selected_group, message);
  transcript_->add(message);
  core_.group = hello->extensions.key_share.group;
  for (const auto& key : shares_) {
    if (key->group() != core_.group) continue;
    const auto shared = key->agree(hello->extensions.key_share.key);
    if (!shared) return fail("key share");
    handshake_.emplace(tls::HandshakeSecret::without_psk(transcript_->hash(), shared->bytes()));
    tls::TrafficSecrets secrets = handshake_->traffic(transcript_->digest().bytes());
    core_.set_read_secret(keys_, secrets.server);
    core_.set_write_secret(keys_, secrets.client);
    client_secret_ = std::move(secrets.client);
    server_secret_ = std::move(secrets.server);
    return;
  }
  fail("a share that was not offered");
}

void TlsClient::on_retry(tls::NamedGroup group, base::Bytes message) {
  if (retried_) return fail("second HelloRetryRequest");
  retried_ = true;
  expected_message_ = 0;
  transcript_->replace_by_message_hash();
  transcript_->add(message);
  make_shares({group});
  write_hello();
  transcript_->add(client_hello_);
}

void TlsClient::on_certificate_verify(base::Bytes body) {
  const auto verify = tls::CertificateVerify::parse(body);
  tls::Certificate leaf;
  crypto::der::Fault fault;
  if (!verify || !tls::parse_certificate(leaf, fault, leaf_)) return fail("CertificateVerify");
  const auto signature = crypto::ecdsa_from_der_vartime(verify->signature);
  const tls::SignedContent content(tls::Signer::server, transcript_->digest().bytes());
  std::uint8_t digest[32];
  crypto::hash(digest, crypto::HashId::sha256, content.bytes());
  const auto key = crypto::P256PublicKey::parse_vartime(leaf.public_key.key);
  if (!signature || !key || !crypto::p256_verify_vartime(*key, digest, *signature)) fail("signature");
}

void TlsClient::on_finished(base::Bytes message) {
  const crypto::HashId hash = transcript_->hash();
  const tls::Secret expected =
      tls::finished_verify_data(tls::LabelKey(hash, server_secret_.bytes()), transcript_->digest().bytes());
  if (base::as_text(message.subspan(4)) != base::as_text(expected.bytes())) return fail("Finished");
  transcript_->add(message);
  finished_digest_ = transcript_->digest();
  const tls::MasterSecret master = (*std::move(handshake_)).master();
  tls::TrafficSecrets secrets = master.traffic(finished_digest_.bytes());
  const tls::Secret exporter = master.exporter(finished_digest_.bytes());
  std::memcpy(core_.exporter_master, exporter.bytes().data(), exporter.bytes().size());
  client_application_ = std::move(secrets.client);
  core_.set_read_secret(keys_, secrets.server);
  if (!hold_finished_) send_held_finished();
}

Octets TlsClient::finished_message() const {
  const tls::LabelKey key(transcript_->hash(), client_secret_.bytes());
  const tls::Secret data = tls::finished_verify_data(key, finished_digest_.bytes());
  tls::Finished finished;
  finished.verify_data = data.bytes();
  return written(finished);
}

void TlsClient::send_held_finished() {
  if (options_.session_id_bytes != 0) send_plain(ContentType::change_cipher_spec, Octets{1});
  send(ContentType::handshake, finished_message());
  core_.set_write_secret(keys_, client_application_);
  established_ = true;
}

void TlsClient::on_key_update(base::Bytes body) {
  const auto update = tls::KeyUpdate::parse(body);
  if (!update) return fail("KeyUpdate");
  key_updates_seen_++;
  core_.update_read_secret(keys_);
}

void TlsClient::send(ContentType type, base::Bytes content, std::size_t padding) {
  if (!core_.write_protected) return send_plain(type, content);
  // Padding follows the inner type, so the type goes in as content and the last zero as the type.
  Octets inner(content.begin(), content.end());
  ContentType last = type;
  if (padding > 0) {
    inner.push_back(static_cast<std::uint8_t>(type));
    inner.resize(inner.size() + padding - 1);
    last = ContentType::invalid;
  }
  Octets record(inner.size() + 22);
  record.resize(tls::seal_record(record.data(), core_.write, core_.write_key(keys_), last, inner));
  append(output_, record);
}

void TlsClient::send_plain(ContentType type, base::Bytes content) {
  do {
    const base::Bytes part = content.first(std::min(content.size(), tls::max_plaintext_bytes));
    std::uint8_t header[tls::record_header_bytes];
    tls::RecordHeader::write(header, type, part.size());
    append(output_, header);
    append(output_, part);
    content = content.subspan(part.size());
  } while (!content.empty());
}

void TlsClient::send_key_update(bool request) {
  tls::KeyUpdate update;
  update.update_requested = request;
  send(ContentType::handshake, written(update));
  core_.update_write_secret(keys_);
}

void TlsClient::close() { send(ContentType::alert, Octets{1, 0}); }

}  // namespace signet::test
