#include <array>

#include <signet/crypto/hkdf.hpp>
#include <signet/tls/key_schedule.hpp>
#include <signet/tls/wire.hpp>

namespace signet::tls {
namespace {

using crypto::HashId;

constexpr std::array<std::uint8_t, crypto::max_digest_bytes> zeros{};

// The digests of no octets.
constexpr std::uint8_t empty_sha256[] = {0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4,
                                         0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b,
                                         0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55};
constexpr std::uint8_t empty_sha384[] = {
    0x38, 0xb0, 0x60, 0xa7, 0x51, 0xac, 0x96, 0x38, 0x4c, 0xd9, 0x32, 0x7e, 0xb1, 0xb1, 0xe3, 0x6a,
    0x21, 0xfd, 0xb7, 0x11, 0x14, 0xbe, 0x07, 0x43, 0x4c, 0x0c, 0xc7, 0xbf, 0x63, 0xf6, 0xe1, 0xda,
    0x27, 0x4e, 0xde, 0xbf, 0xe7, 0x6f, 0x65, 0xfb, 0xd5, 0x1a, 0xd2, 0xf1, 0x48, 0x98, 0xb9, 0x5b};

// Derive-Secret(HKDF-Extract(0, 0), "derived", ""): the salt of every handshake secret without a PSK.
constexpr std::uint8_t derived_sha256[] = {0x6f, 0x26, 0x15, 0xa1, 0x08, 0xc7, 0x02, 0xc5, 0x67, 0x8f, 0x54,
                                           0xfc, 0x9d, 0xba, 0xb6, 0x97, 0x16, 0xc0, 0x76, 0x18, 0x9c, 0x48,
                                           0x25, 0x0c, 0xeb, 0xea, 0xc3, 0x57, 0x6c, 0x36, 0x11, 0xba};
constexpr std::uint8_t derived_sha384[] = {
    0x15, 0x91, 0xda, 0xc5, 0xcb, 0xbf, 0x03, 0x30, 0xa4, 0xa8, 0x4d, 0xe9, 0xc7, 0x53, 0x33, 0x0e,
    0x92, 0xd0, 0x1f, 0x0a, 0x88, 0x21, 0x4b, 0x44, 0x64, 0x97, 0x2f, 0xd6, 0x68, 0x04, 0x9e, 0x93,
    0xe5, 0x2f, 0x2b, 0x16, 0xfa, 0xd9, 0x22, 0xfd, 0xc0, 0x58, 0x44, 0x78, 0x42, 0x8f, 0x28, 0x2b};

base::Bytes empty_digest(HashId hash) noexcept {
  return hash == HashId::sha256 ? base::Bytes(empty_sha256) : base::Bytes(empty_sha384);
}

base::Bytes digest_of_zeros(HashId hash) noexcept {
  return base::Bytes(zeros).first(crypto::digest_bytes(hash));
}

const crypto::HmacKey& salt_without_psk(HashId hash) noexcept {
  static const crypto::HmacKey sha256(HashId::sha256, derived_sha256);
  static const crypto::HmacKey sha384(HashId::sha384, derived_sha384);
  return hash == HashId::sha256 ? sha256 : sha384;
}

// HKDF-Extract (RFC 5869 section 2.2) under a prepared salt.
LabelKey extract(const crypto::HmacKey& salt, base::Bytes input) noexcept {
  Secret secret;
  crypto::hmac(secret.resize(crypto::digest_bytes(salt.id())), salt, input);
  return LabelKey(salt.id(), secret.bytes());
}

// The next secret of the chain: its salt is derived from the one before.
LabelKey extract_next(const LabelKey& before, base::Bytes input) noexcept {
  const Secret salt = before.derive("derived", empty_digest(before.hash()));
  crypto::HmacKey prepared(before.hash(), salt.bytes());
  LabelKey next = extract(prepared, input);
  prepared.wipe();
  return next;
}

LabelKey extract_early(HashId hash, base::Bytes psk) noexcept {
  return extract(crypto::HmacKey(hash, digest_of_zeros(hash)), psk);
}

}  // namespace

Secret::Secret(base::Bytes octets) noexcept {
  if (!octets.empty()) std::memcpy(resize(octets.size()).data(), octets.data(), octets.size());
}

Secret::Secret(Secret&& other) noexcept : Secret(other.bytes()) { other.wipe(); }

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this == &other) return *this;
  std::memcpy(octets_, other.octets_, sizeof octets_);
  size_ = other.size_;
  other.wipe();
  return *this;
}

base::MutBytes Secret::resize(std::size_t size) noexcept {
  size_ = static_cast<std::uint8_t>(size);
  return {octets_, size};
}

void Secret::wipe() noexcept {
  base::wipe(octets_);
  size_ = 0;
}

LabelKey::LabelKey(LabelKey&& other) noexcept : key_(other.key_) { other.key_.wipe(); }

LabelKey& LabelKey::operator=(LabelKey&& other) noexcept {
  if (this == &other) return *this;
  key_ = other.key_;
  other.key_.wipe();
  return *this;
}

bool LabelKey::expand(base::MutBytes out, std::string_view label, base::Bytes context) const noexcept {
  std::array<std::uint8_t, 2 + 1 + 255 + 1 + 255> room;
  Writer info(room);
  info.u16(static_cast<std::uint16_t>(out.size()));
  {
    const Writer::Scope whole_label = info.open8();
    info.bytes(base::as_bytes("tls13 "));
    info.bytes(base::as_bytes(label));
  }
  info.vector8(context);
  if (info.ok() && crypto::hkdf_expand(out, key_, info.written())) return true;
  base::wipe(out);
  return false;
}

Secret LabelKey::derive(std::string_view label, base::Bytes digest) const noexcept {
  Secret secret;
  (void)expand(secret.resize(crypto::digest_bytes(hash())), label, digest);
  return secret;
}

EarlySecret::EarlySecret(HashId hash, base::Bytes psk) noexcept : key_(extract_early(hash, psk)) {}

Secret EarlySecret::binder_key(PskKind kind) const noexcept {
  return key_.derive(kind == PskKind::external ? "ext binder" : "res binder", empty_digest(key_.hash()));
}

Secret EarlySecret::client_traffic(base::Bytes digest) const noexcept {
  return key_.derive("c e traffic", digest);
}

Secret EarlySecret::exporter(base::Bytes digest) const noexcept {
  return key_.derive("e exp master", digest);
}

HandshakeSecret EarlySecret::handshake(base::Bytes shared) && noexcept {
  const LabelKey used = std::move(key_);
  return HandshakeSecret(extract_next(used, shared));
}

HandshakeSecret HandshakeSecret::without_psk(HashId hash, base::Bytes shared) noexcept {
  return HandshakeSecret(extract(salt_without_psk(hash), shared));
}

TrafficSecrets HandshakeSecret::traffic(base::Bytes digest) const noexcept {
  return {key_.derive("c hs traffic", digest), key_.derive("s hs traffic", digest)};
}

MasterSecret HandshakeSecret::master() && noexcept {
  const LabelKey used = std::move(key_);
  return MasterSecret(extract_next(used, digest_of_zeros(used.hash())));
}

TrafficSecrets MasterSecret::traffic(base::Bytes digest) const noexcept {
  return {key_.derive("c ap traffic", digest), key_.derive("s ap traffic", digest)};
}

Secret MasterSecret::exporter(base::Bytes digest) const noexcept { return key_.derive("exp master", digest); }

Secret MasterSecret::resumption(base::Bytes digest) && noexcept {
  const LabelKey used = std::move(key_);
  return used.derive("res master", digest);
}

void derive_traffic_key(TrafficKey& key, CipherSuite suite, const LabelKey& traffic_secret) noexcept {
  const std::size_t key_bytes = crypto::aead_key_bytes(aead_of(suite));
  base::wipe(key.key);
  (void)traffic_secret.expand(base::MutBytes(key.key).first(key_bytes), "key", {});
  (void)traffic_secret.expand(key.iv, "iv", {});
}

void derive_traffic_key(TrafficKey& key, CipherSuite suite, const Secret& traffic_secret) noexcept {
  derive_traffic_key(key, suite, LabelKey(hash_of(suite), traffic_secret.bytes()));
}

Secret finished_verify_data(const LabelKey& base_secret, base::Bytes digest) noexcept {
  const Secret finished_key = base_secret.derive("finished", {});
  crypto::HmacKey prepared(base_secret.hash(), finished_key.bytes());
  Secret verify_data;
  crypto::hmac(verify_data.resize(crypto::digest_bytes(base_secret.hash())), prepared, digest);
  prepared.wipe();
  return verify_data;
}

Secret next_traffic_secret(HashId hash, const Secret& current) noexcept {
  return LabelKey(hash, current.bytes()).derive("traffic upd", {});
}

Secret resumption_psk(HashId hash, const Secret& resumption_master, base::Bytes nonce) noexcept {
  return LabelKey(hash, resumption_master.bytes()).derive("resumption", nonce);
}

bool export_keying_material(base::MutBytes out, HashId hash, const Secret& exporter_master,
                            std::string_view label, base::Bytes context) noexcept {
  const LabelKey master(hash, exporter_master.bytes());
  Secret secret;
  if (!master.expand(secret.resize(crypto::digest_bytes(hash)), label, empty_digest(hash))) {
    base::wipe(out);
    return false;
  }
  std::array<std::uint8_t, crypto::max_digest_bytes> room;
  const base::MutBytes digest = base::MutBytes(room).first(crypto::digest_bytes(hash));
  crypto::hash(digest, hash, context);
  return LabelKey(hash, secret.bytes()).expand(out, "exporter", digest);
}

}  // namespace signet::tls
