#include <signet/crypto/ct.hpp>
#include <signet/crypto/random.hpp>
#include <signet/tls/key_exchange.hpp>
#include <signet/tls/messages/certificate_verify.hpp>
#include <signet/tls/messages/encrypted_extensions.hpp>
#include <signet/tls/messages/finished.hpp>
#include <signet/tls/messages/server_hello.hpp>
#include <signet/tls/server_handshake.hpp>

namespace signet::tls {
namespace {

// The largest message that is not ready-made: a ServerHello, or EncryptedExtensions with a protocol name.
constexpr std::size_t small_message_bytes = 512;

// Our limit for the client's records (RFC 8449 section 4): all that RFC 8446 allows.
constexpr std::uint16_t our_record_size_limit = max_plaintext_bytes + inner_type_bytes;

}  // namespace

bool ServerHandshake::serves(ServerState state, HandshakeType type) noexcept {
  switch (state) {
    case ServerState::wait_client_hello:
    case ServerState::wait_second_client_hello:
      return type == HandshakeType::client_hello;
    case ServerState::wait_finished:
      return type == HandshakeType::finished;
    case ServerState::wait_signature:
    case ServerState::send_finished:
    case ServerState::done:
      return false;
  }
  return false;
}

HandshakeResult ServerHandshake::on_message(HandshakeType type, base::Bytes message, bool last) noexcept {
  if (!known(type)) return Failure(Reason::message_type_unknown);
  if (!serves(area_.state, type)) return Failure(Reason::message_unexpected);
  // Both messages end a flight, and what the client sends next is under other keys or an answer to ours.
  if (!last) return Failure(Reason::message_spans_key_change);
  return type == HandshakeType::client_hello ? on_client_hello(message) : on_finished(message);
}

HandshakeResult ServerHandshake::on_client_hello(base::Bytes message) noexcept {
  const auto hello = ClientHello::parse(message.subspan(handshake_header_bytes));
  if (!hello) return hello.error();
  const auto choice = negotiate(settings_, *hello);
  if (!choice) return choice.error();
  if (area_.state == ServerState::wait_second_client_hello) {
    if (const auto same = check_second_hello(*hello, *choice); !same) return same;
  } else {
    area_.identity = settings_.identity;
    area_.transcript = Transcript(hash_of(choice->suite));
    core_.suite = choice->suite;
  }
  core_.group = choice->group;
  area_.offered_early_data = hello->extensions.has(ExtensionId::early_data);
  area_.transcript.add(message);
  return choice->share.empty() ? ask_for_share(*hello, *choice) : answer_hello(*hello, *choice);
}

// RFC 8446 sections 4.1.2 and 4.2.8.
HandshakeResult ServerHandshake::check_second_hello(const ClientHello& hello, const Choice& choice) noexcept {
  if (hello.extensions.has(ExtensionId::early_data)) return Failure(Reason::early_data_after_retry);
  if (hello.extensions.has(ExtensionId::cookie)) return Failure(Reason::retry_cookie_wrong);
  if (fingerprint(hello) != area_.first_hello) return Failure(Reason::retry_hello_changed);
  const bool one_share = hello.extensions.key_shares.count() == 1;
  if (choice.share.empty() || choice.group != area_.retry_group || !one_share) {
    return Failure(Reason::retry_key_share_wrong);
  }
  area_.early_data = EarlyData::none;
  return {};
}

HandshakeResult ServerHandshake::ask_for_share(const ClientHello& hello, const Choice& choice) noexcept {
  area_.transcript.replace_by_message_hash();
  area_.first_hello = fingerprint(hello);
  area_.retry_group = choice.group;
  ServerHello retry;
  retry.random = hello_retry_random;
  retry.session_id_echo = hello.session_id;
  retry.suite = choice.suite;
  retry.extensions.set(ExtensionId::supported_versions);
  retry.extensions.selected_version = ProtocolVersion::tls13;
  retry.extensions.set(ExtensionId::key_share);
  retry.extensions.selected_group = choice.group;
  if (const auto sent = send(retry); !sent) return sent;
  core_.seal_cell(out_, keys_, ContentType::handshake);
  if (area_.offered_early_data) area_.early_data = EarlyData::until_second_hello;
  area_.state = ServerState::wait_second_client_hello;
  return send_change_cipher_spec(hello);
}

HandshakeResult ServerHandshake::answer_hello(const ClientHello& hello, const Choice& choice) noexcept {
  const bool retried = area_.state == ServerState::wait_second_client_hello;
  const EphemeralKey key(choice.group);
  const auto shared = key.agree(choice.share);
  if (!shared) return shared.error();
  if (const auto sent = send_server_hello(hello, choice, key.share()); !sent) return sent;
  if (!retried) {
    if (const auto sent = send_change_cipher_spec(hello); !sent) return sent;
  }
  derive_handshake_keys(*shared);
  if (area_.offered_early_data) area_.early_data = EarlyData::until_opened;
  core_.max_plaintext = choice.max_plaintext;
  out_.set_record_room(core_.record_room());
  if (const auto sent = send_encrypted_extensions(choice); !sent) return sent;
  if (const auto sent = send_bytes(area_.identity->certificate_message()); !sent) return sent;
  area_.state = ServerState::wait_signature;
  return {};
}

HandshakeResult ServerHandshake::send_server_hello(const ClientHello& hello, const Choice& choice,
                                                   base::Bytes share) noexcept {
  std::uint8_t random[32];
  crypto::random_bytes(random);
  ServerHello answer;
  answer.random = random;
  answer.session_id_echo = hello.session_id;
  answer.suite = choice.suite;
  answer.extensions.set(ExtensionId::supported_versions);
  answer.extensions.selected_version = ProtocolVersion::tls13;
  answer.extensions.set(ExtensionId::key_share);
  answer.extensions.key_share = {choice.group, share};
  if (const auto sent = send(answer); !sent) return sent;
  core_.seal_cell(out_, keys_, ContentType::handshake);
  return {};
}

void ServerHandshake::derive_handshake_keys(const Secret& shared) noexcept {
  const crypto::HashId hash = hash_of(core_.suite);
  area_.handshake_secret.emplace(HandshakeSecret::without_psk(hash, shared.bytes()));
  const TrafficSecrets secrets = area_.handshake_secret->traffic(area_.transcript.digest().bytes());
  area_.server_secret.emplace(hash, secrets.server.bytes());
  area_.client_secret.emplace(hash, secrets.client.bytes());
  core_.set_write_secret(keys_, secrets.server, *area_.server_secret);
  core_.set_read_secret(keys_, secrets.client, *area_.client_secret);
}

HandshakeResult ServerHandshake::send_encrypted_extensions(const Choice& choice) noexcept {
  EncryptedExtensions message;
  Extensions& extensions = message.extensions;
  if (!choice.protocol.empty()) {
    extensions.set(ExtensionId::application_layer_protocol_negotiation);
    extensions.selected_protocol = base::as_bytes(choice.protocol);
  }
  if (choice.record_size_limit_offered) {
    extensions.set(ExtensionId::record_size_limit);
    extensions.record_size_limit = our_record_size_limit;
  }
  return send(message);
}

HandshakeResult ServerHandshake::finish_flight() noexcept {
  if (area_.signing_failed) return Failure(Reason::signing_failed);
  CertificateVerify verify;
  verify.scheme = SignatureScheme::ecdsa_secp256r1_sha256;
  verify.signature = {area_.signature, area_.signature_bytes};
  if (const auto sent = send(verify); !sent) return sent;
  const Secret ours = finished_verify_data(*area_.server_secret, area_.transcript.digest().bytes());
  Finished finished;
  finished.verify_data = ours.bytes();
  if (const auto sent = send(finished); !sent) return sent;
  core_.seal_cell(out_, keys_, ContentType::handshake);
  derive_application_keys();
  area_.state = ServerState::wait_finished;
  return {};
}

void ServerHandshake::derive_application_keys() noexcept {
  const Digest digest = area_.transcript.digest();
  area_.expected_finished = finished_verify_data(*area_.client_secret, digest.bytes());
  const MasterSecret master = (*std::move(area_.handshake_secret)).master();
  TrafficSecrets secrets = master.traffic(digest.bytes());
  const Secret exporter = master.exporter(digest.bytes());
  std::memcpy(core_.exporter_master, exporter.bytes().data(), exporter.bytes().size());
  core_.set_write_secret(keys_, secrets.server);
  area_.client_application = std::move(secrets.client);
  // Nothing more is derived from these, however long the client's Finished takes.
  area_.handshake_secret.reset();
  area_.server_secret.reset();
  area_.client_secret.reset();
}

HandshakeResult ServerHandshake::on_finished(base::Bytes message) noexcept {
  const auto finished = Finished::parse(message.subspan(handshake_header_bytes), hash_of(core_.suite));
  if (!finished) return finished.error();
  const base::Bytes expected = area_.expected_finished.bytes();
  if (!crypto::ct::equal(finished->verify_data.data(), expected.data(), expected.size())) {
    return Failure(Reason::finished_wrong);
  }
  core_.set_read_secret(keys_, area_.client_application);
  area_.state = ServerState::done;
  return {};
}

template <class Message>
HandshakeResult ServerHandshake::send(const Message& message) noexcept {
  std::uint8_t room[small_message_bytes];
  Writer writer(room);
  message.write(writer);
  if (!writer.ok()) return Failure(Reason::send_buffer_full);
  return send_bytes(writer.written());
}

HandshakeResult ServerHandshake::send_bytes(base::Bytes message) noexcept {
  area_.transcript.add(message);
  if (!core_.write_bytes(out_, keys_, ContentType::handshake, message))
    return Failure(Reason::send_buffer_full);
  return {};
}

// RFC 8446 section D.4: once, behind our first message, for a client that plays compatibility mode.
HandshakeResult ServerHandshake::send_change_cipher_spec(const ClientHello& hello) noexcept {
  if (hello.session_id.empty()) return {};
  constexpr std::uint8_t one = 1;
  if (!core_.write_bytes(out_, keys_, ContentType::change_cipher_spec, {&one, 1})) {
    return Failure(Reason::send_buffer_full);
  }
  core_.seal_cell(out_, keys_, ContentType::change_cipher_spec);
  return {};
}

void sign_flight(HandshakeArea& area) noexcept {
  const SignedContent content(Signer::server, area.transcript.digest().bytes());
  area.signing_failed = !area.identity->sign(area.signature, area.signature_bytes, content.bytes());
  area.state = ServerState::send_finished;
}

}  // namespace signet::tls
