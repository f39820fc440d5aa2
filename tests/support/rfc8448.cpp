#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>

#include <signet/crypto/hkdf.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/crypto/x25519.hpp>
#include <signet/tests/support/message_round_trip.hpp>
#include <signet/tests/support/rfc8448.hpp>
#include <signet/tls/key_schedule.hpp>
#include <signet/tls/messages/client_hello.hpp>
#include <signet/tls/messages/new_session_ticket.hpp>
#include <signet/tls/messages/server_hello.hpp>
#include <signet/tls/record_layout.hpp>
#include <signet/tls/transcript.hpp>

namespace signet::test {

const std::vector<std::uint8_t>* TraceStep::find(std::string_view name) const {
  for (const TraceField& field : fields) {
    if (field.name == name) return &field.octets;
  }
  return nullptr;
}

namespace {

using namespace tls;
using Octets = std::vector<std::uint8_t>;

constexpr CipherSuite suite = CipherSuite::aes_128_gcm_sha256;  // of all traces
constexpr crypto::HashId hash = hash_of(suite);

Octets octets_of(base::Bytes bytes) { return {bytes.begin(), bytes.end()}; }

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// What stands between "tls13 and the closing quote in a title.
std::string_view label_in(std::string_view title) {
  constexpr std::string_view mark = "\"tls13 ";
  const std::size_t start = title.find(mark);
  if (start == std::string_view::npos) return {};
  const std::string_view rest = title.substr(start + mark.size());
  return rest.substr(0, rest.find('"'));
}

std::string other(const std::string& actor) { return actor == "client" ? "server" : "client"; }

class Player {
 public:
  Replay play(const Trace& trace) {
    for (const TraceStep& step : trace.steps) {
      if (step.title.find("(same as") != std::string::npos) continue;
      step_ = &step;
      result_.steps++;
      take_step(step.title);
    }
    return std::move(result_);
  }

 private:
  void take_step(std::string_view title) {
    if (begins_with(title, "create an ephemeral")) return create_key_pair();
    if (begins_with(title, "construct ")) return construct_message();
    if (begins_with(title, "extract secret \"early\"")) return extract_early();
    if (begins_with(title, "extract secret \"handshake\"")) return extract_handshake();
    if (begins_with(title, "extract secret \"master\"")) return extract_master();
    if (begins_with(title, "calculate PSK binder")) return calculate_binder();
    if (begins_with(title, "calculate finished")) return calculate_finished();
    if (begins_with(title, "generate resumption secret")) return generate_ticket_psk();
    if (begins_with(title, "derive secret")) return derive_secret(label_in(title));
    if (begins_with(title, "derive ")) return derive_keys(title);
    if (begins_with(title, "send ")) return send_record(title);
    fail("a step that is not known");
  }

  void fail(std::string_view what) {
    result_.failures.push_back(step_->actor + ": " + step_->title + ": " + std::string(what));
  }

  // Values that are left out of a trace are not compared.
  void compare(std::string_view name, base::Bytes ours) {
    const Octets* published = step_->find(name);
    if (published == nullptr) return;
    if (std::ranges::equal(*published, ours)) {
      result_.compared++;
    } else {
      fail(std::string(name) + " differs");
    }
  }

  const Octets& value(std::string_view name) {
    static const Octets none;
    const Octets* octets = step_->find(name);
    if (octets == nullptr) fail(std::string(name) + " is missing");
    return octets == nullptr ? none : *octets;
  }

  // Key exchange.

  void create_key_pair() {
    const Octets& secret = value("private key");
    if (secret.size() != 32) return fail("a private key of another length");
    secret_keys_[step_->actor] = secret;
    p256_[step_->actor] = step_->title.find("P-256") != std::string::npos;
    compare("public key", public_key_of(step_->actor));
  }

  Octets public_key_of(const std::string& actor) {
    const std::span<const std::uint8_t, 32> secret(secret_keys_[actor].data(), 32);
    Octets key(p256_[actor] ? crypto::p256_point_bytes : crypto::x25519_bytes);
    if (!p256_[actor]) {
      crypto::x25519_public_key(std::span<std::uint8_t, 32>(key.data(), 32), secret);
    } else if (const auto pair = crypto::P256PrivateKey::from_scalar(secret)) {
      pair->public_key().write(std::span<std::uint8_t, crypto::p256_point_bytes>(key.data(), key.size()));
    }
    return key;
  }

  // The server's secret key and the share of the client's hello.
  Octets shared_secret() {
    const std::span<const std::uint8_t, 32> secret(secret_keys_["server"].data(), 32);
    Octets shared(32);
    const std::span<std::uint8_t, 32> out(shared.data(), 32);
    if (!p256_["server"]) {
      const bool ok =
          client_share_.size() == 32 &&
          crypto::x25519(out, secret, std::span<const std::uint8_t, 32>(client_share_.data(), 32));
      if (!ok) fail("no X25519 secret");
      return shared;
    }
    const auto key = crypto::P256PrivateKey::from_scalar(secret);
    const auto peer = crypto::P256PublicKey::parse_vartime(client_share_);
    if (key && peer) {
      crypto::p256_ecdh(out, *key, *peer);
    } else {
      fail("no P-256 secret");
    }
    return shared;
  }

  // Messages.

  void construct_message() {
    if (step_->fields.empty()) return fail("no message");
    const Octets& message = step_->fields.front().octets;
    const auto header = HandshakeHeader::peek(message);
    if (!header) return fail("no message");
    if (header->message_bytes() > message.size()) {
      prefix_ = message;  // a ClientHello without its binders yet
      return;
    }
    take_message(message, *header);
  }

  void take_message(const Octets& message, const HandshakeHeader& header) {
    if (const std::string reason = round_trip(message, hash); !reason.empty()) return fail(reason);
    result_.compared++;
    unsent_.insert(unsent_.end(), message.begin(), message.end());
    if (header.type == HandshakeType::client_hello) take_client_hello(message);
    if (header.type == HandshakeType::server_hello) take_server_hello(message);
    if (header.type == HandshakeType::finished) compare_finished(message);
    if (header.type == HandshakeType::new_session_ticket) return take_ticket(message);
    transcript_.add(message);
  }

  void take_client_hello(const Octets& message) {
    const auto hello = ClientHello::parse(base::Bytes(message).subspan(handshake_header_bytes));
    if (hello->extensions.key_shares.empty()) return fail("a ClientHello without key share");
    const base::Bytes share = hello->extensions.key_shares.begin()->key;
    client_share_ = octets_of(share);
    const Octets own = public_key_of("client");
    if (!std::ranges::equal(own, share)) fail("a key share that is not the client's");
  }

  void take_server_hello(const Octets& message) {
    const auto hello = ServerHello::parse(base::Bytes(message).subspan(handshake_header_bytes));
    if (hello->suite != suite) fail("another suite");
    if (hello->is_retry()) return transcript_.replace_by_message_hash();
    if (!std::ranges::equal(public_key_of("server"), hello->extensions.key_share.key)) {
      fail("a key share that is not the server's");
    }
  }

  void compare_finished(const Octets& message) {
    if (std::ranges::equal(base::Bytes(message).subspan(handshake_header_bytes), verify_data_)) {
      result_.compared++;
    } else {
      fail("a Finished that differs");
    }
  }

  void take_ticket(const Octets& message) {
    const auto ticket = NewSessionTicket::parse(base::Bytes(message).subspan(handshake_header_bytes));
    const Secret psk = resumption_psk(hash, resumption_, ticket->nonce);
    if (!std::ranges::equal(psk.bytes(), result_.ticket_psk)) fail("a ticket with another nonce");
  }

  // Secrets.

  void extract_early() {
    const Octets zeros(crypto::digest_bytes(hash));
    const Octets& psk = value("IKM");
    if (psk != zeros) result_.psk = psk;
    early_octets_ = compare_extraction({}, psk);
    early_.emplace(hash, psk);
  }

  void extract_handshake() {
    const Octets shared = shared_secret();
    compare("IKM", shared);
    handshake_octets_ = compare_extraction(derived_, shared);
    if (!early_) return fail("no early secret before it");
    if (result_.psk.empty()) compare_short_cut(shared);
    handshake_.emplace(std::move(*early_).handshake(shared));
  }

  // Without a PSK the chain from zeros and its constant are the same.
  void compare_short_cut(const Octets& shared) {
    const Octets zeros(crypto::digest_bytes(hash));
    const TrafficSecrets chain = EarlySecret(hash, zeros).handshake(shared).traffic(zeros);
    const TrafficSecrets short_cut = HandshakeSecret::without_psk(hash, shared).traffic(zeros);
    if (!std::ranges::equal(chain.client.bytes(), short_cut.client.bytes()))
      fail("the constant salt is wrong");
  }

  void extract_master() {
    const Octets zeros(crypto::digest_bytes(hash));
    compare("IKM", zeros);
    master_octets_ = compare_extraction(derived_, zeros);
    if (!handshake_) return fail("no handshake secret before it");
    master_.emplace(std::move(*handshake_).master());
  }

  // The types keep early, handshake and master secret to themselves; these are computed beside them.
  Octets compare_extraction(const Octets& salt, const Octets& input) {
    compare("salt", salt);
    Octets secret(crypto::digest_bytes(hash));
    crypto::hkdf_extract(secret, hash, salt, input);
    compare("secret", secret);
    return secret;
  }

  void derive_secret(std::string_view label) {
    const bool salt = label == "derived";
    const Octets& key = chain_secret_of(label);
    const Octets digest = salt ? digest_of_nothing() : octets_of(transcript_.digest().bytes());
    compare("PRK", key);
    compare("hash", digest);
    if (!salt) return keep_secret(label, digest);
    derived_ = octets_of(LabelKey(hash, key).derive(label, digest).bytes());
    compare("expanded", derived_);
  }

  // Which secret of the chain the step derives from.
  const Octets& chain_secret_of(std::string_view label) const {
    const bool for_handshake = step_->title.find("for handshake") != std::string::npos;
    if (label == "derived") return for_handshake ? early_octets_ : handshake_octets_;
    if (label == "c e traffic" || label == "e exp master") return early_octets_;
    return label == "c hs traffic" || label == "s hs traffic" ? handshake_octets_ : master_octets_;
  }

  static Octets digest_of_nothing() {
    Octets digest(crypto::digest_bytes(hash));
    crypto::hash(digest, hash, {});
    return digest;
  }

  void keep_secret(std::string_view label, const Octets& digest) {
    if (label == "c e traffic" && early_) return keep("client early", early_->client_traffic(digest));
    if (label == "e exp master" && early_) return keep("early exporter", early_->exporter(digest));
    if (label == "c hs traffic" && handshake_)
      return keep("client handshake", handshake_->traffic(digest).client);
    if (label == "s hs traffic" && handshake_)
      return keep("server handshake", handshake_->traffic(digest).server);
    if (label == "c ap traffic" && master_)
      return keep("client application", master_->traffic(digest).client);
    if (label == "s ap traffic" && master_)
      return keep("server application", master_->traffic(digest).server);
    if (label == "exp master" && master_) return keep("exporter", master_->exporter(digest));
    if (label == "res master" && master_) {
      resumption_ = std::move(*master_).resumption(digest);
      return keep("resumption", resumption_);
    }
    fail("a secret out of order");
  }

  void keep(const std::string& name, const Secret& secret) {
    compare("expanded", secret.bytes());
    secrets_[name] = octets_of(secret.bytes());
  }

  void generate_ticket_psk() {
    const Octets* nonce = step_->find("hash");
    if (nonce == nullptr) return fail("no nonce");
    const Secret psk = resumption_psk(hash, resumption_, *nonce);
    compare("expanded", psk.bytes());
    result_.ticket_psk = octets_of(psk.bytes());
  }

  // Finished and binders.

  void calculate_finished() {
    calculate_verify_data(secrets_[step_->actor + " handshake"], transcript_.digest());
  }

  void calculate_verify_data(const Octets& base_secret, const Digest& digest) {
    compare("PRK", base_secret);
    const LabelKey key(hash, base_secret);
    compare("expanded", key.derive("finished", {}).bytes());
    verify_data_ = octets_of(finished_verify_data(key, digest.bytes()).bytes());
    compare("finished", verify_data_);
  }

  void calculate_binder() {
    if (!early_) return fail("no early secret before it");
    const Digest digest = transcript_.digest_with(prefix_);
    compare("ClientHello prefix", prefix_);
    compare("binder hash", digest.bytes());
    calculate_verify_data(octets_of(early_->binder_key(PskKind::resumption).bytes()), digest);
    complete_client_hello();
  }

  void complete_client_hello() {
    Octets message(prefix_.size() + 2 + 1 + verify_data_.size());
    Writer writer(message);
    writer.bytes(prefix_);
    {
      const Writer::Scope binders = writer.open16();
      writer.vector8(verify_data_);
    }
    const auto hello = ClientHello::parse(base::Bytes(message).subspan(handshake_header_bytes));
    if (!hello) return fail("a ClientHello that does not parse");
    if (!std::ranges::equal(without_binders(message, *hello), prefix_)) fail("another place of the binders");
    take_message(message, *HandshakeHeader::peek(message));
  }

  // Records.

  void derive_keys(std::string_view title) {
    const bool reads = title.find(" read ") != std::string_view::npos;
    const std::string owner = reads ? other(step_->actor) : step_->actor;
    const bool early = title.find("early") != std::string_view::npos;
    const bool handshake = title.find("handshake") != std::string_view::npos;
    const Octets& secret = secrets_[owner + (early ? " early" : handshake ? " handshake" : " application")];
    compare("PRK", secret);
    TrafficKey key{};
    derive_traffic_key(key, suite, Secret(secret));
    const base::Bytes octets(key.key, crypto::aead_key_bytes(aead_of(suite)));
    compare("key expanded", octets);
    compare("iv expanded", key.iv);
    keys_[octets_of(octets)] = key;
  }

  void send_record(std::string_view title) {
    const bool handshake = title.find("handshake") != std::string_view::npos;
    if (handshake) compare("payload", unsent_);
    const Octets payload = handshake ? unsent_ : value("payload");
    if (handshake) unsent_.clear();
    const std::uint8_t type = handshake                                             ? 22
                              : title.find("application") != std::string_view::npos ? 23
                              : title.find("alert") != std::string_view::npos       ? 21
                                                                                    : 20;
    const Octets* record = step_->find("complete record");
    if (step_->record_key.empty()) return compare_plain_record(record, type, payload);
    const auto found = keys_.find(step_->record_key);
    if (found == keys_.end()) return fail("a record key that was not derived");
    if (record == nullptr || record->size() < record_header_bytes) return fail("no record");
    compare_protected_record(found->second, *record, type, payload);
  }

  // A first ClientHello's record has version 3.1, as RFC 8446 section 5.1 allows. The tree's trace leaves
  // these out.
  void compare_plain_record(const Octets* record, std::uint8_t type, const Octets& payload) {
    if (record == nullptr) return;
    Octets ours(record_header_bytes + payload.size());
    Writer writer(ours);
    writer.u8(type);
    writer.u16(record->at(2) == 1 ? 0x0301 : 0x0303);
    writer.vector16(payload);
    compare("complete record", ours);
  }

  static std::array<std::uint8_t, crypto::aead_nonce_bytes> nonce_of(const TrafficKey& key,
                                                                     std::uint64_t number) {
    std::array<std::uint8_t, crypto::aead_nonce_bytes> nonce{};
    base::store_be64(&nonce[4], number);
    for (std::size_t i = 0; i < nonce.size(); i++) nonce[i] = static_cast<std::uint8_t>(nonce[i] ^ key.iv[i]);
    return nonce;
  }

  // RFC 8446 section 5.2; the traces have no padding.
  void compare_protected_record(const TrafficKey& key, const Octets& record, std::uint8_t type,
                                const Octets& payload) {
    const std::size_t sealed_bytes = payload.size() + inner_type_bytes + crypto::aead_tag_bytes;
    Octets ours(record_header_bytes + sealed_bytes);
    Writer writer(ours);
    writer.u8(23);
    writer.u16(0x0303);
    writer.u16(static_cast<std::uint16_t>(sealed_bytes));
    const Octets header = octets_of(writer.written());
    std::uint8_t* const body = ours.data() + record_header_bytes;
    std::uint8_t* const tag = body + payload.size() + inner_type_bytes;
    const auto nonce = nonce_of(key, step_->record_number);
    const auto aead = std::make_unique<crypto::AeadKey>();
    aead->init(aead_of(suite), base::Bytes(key.key).first(crypto::aead_key_bytes(aead_of(suite))));
    aead->seal(body, tag, nonce, header, payload, base::Bytes(&type, 1));
    compare("complete record", ours);

    Octets opened(payload.size() + inner_type_bytes);
    const base::Bytes sealed = base::Bytes(record).subspan(record_header_bytes);
    if (sealed.size() != sealed_bytes) return fail("a record of another length");
    if (!aead->open(opened.data(), nonce, header, sealed.first(opened.size()), sealed.last(16).data())) {
      return fail("a record that does not open");
    }
    if (!std::equal(payload.begin(), payload.end(), opened.begin()) || opened.back() != type)
      fail("other content");
    result_.compared++;
  }

  Replay result_;
  const TraceStep* step_ = nullptr;

  std::map<std::string, Octets> secret_keys_;
  std::map<std::string, bool> p256_;
  Octets client_share_;

  Transcript transcript_{hash};
  Octets prefix_;
  Octets unsent_;

  Octets early_octets_;
  Octets handshake_octets_;
  Octets master_octets_;
  Octets derived_;  // the next salt
  Octets verify_data_;
  std::optional<EarlySecret> early_;
  std::optional<HandshakeSecret> handshake_;
  std::optional<MasterSecret> master_;
  Secret resumption_;
  std::map<std::string, Octets> secrets_;
  std::map<Octets, TrafficKey> keys_;
};

}  // namespace

Replay replay(const Trace& trace) { return Player().play(trace); }

}  // namespace signet::test
