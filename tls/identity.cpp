#include <signet/crypto/oid.hpp>
#include <signet/crypto/oid_name.hpp>
#include <signet/crypto/private_key.hpp>
#include <signet/tls/certificate_extensions.hpp>
#include <signet/tls/der_time.hpp>
#include <signet/tls/identity.hpp>
#include <signet/tls/messages/certificate.hpp>
#include <signet/tls/record_layout.hpp>
#include <signet/tls/verified_signature.hpp>

namespace signet::tls {
namespace {

namespace der = crypto::der;
using Input = IdentityFault::Input;

// RFC 8446 section 4.4.2: the empty context's length and the list's; each certificate's length and its
// extensions'.
constexpr std::size_t message_overhead_bytes = handshake_header_bytes + 1 + 3;
constexpr std::size_t entry_overhead_bytes = 3 + 2;

// The flight in the smallest records (RFC 8449 section 4), beside hellos and change_cipher_spec.
constexpr std::size_t other_messages_bytes = 512;
constexpr std::size_t hellos_bytes = 512;
constexpr std::size_t flight_bytes = max_certificate_message_bytes + other_messages_bytes;
constexpr std::size_t flight_records = flight_bytes / (min_record_size_limit - inner_type_bytes) + 1;
static_assert(flight_bytes + flight_records * (tls13_record_room.headroom + tls13_record_room.tailroom) +
                  hellos_bytes <=
              base::SendBuffer::capacity);

struct ChainEntry {
  std::vector<std::uint8_t> der;
  std::size_t line = 0;
};
using Chain = std::vector<ChainEntry>;
using Checked = base::Result<void, IdentityFault>;
using LoadedChain = base::Result<Chain, IdentityFault>;

// "certificate 2": people count from 1, and the first is theirs.
std::string called(std::size_t index) { return "certificate " + std::to_string(index + 1); }

std::string text_of(const der::Fault& fault) {
  return std::string(fault.what) + " " + fault.problem + " (octet " + std::to_string(fault.offset) + ")";
}

LoadedChain chain_of_pem(base::Bytes file) {
  auto blocks = crypto::parse_pem(file);
  if (!blocks) return IdentityFault{Input::chain, blocks.error().line, blocks.error().reason};
  Chain chain;
  for (crypto::PemBlock& block : *blocks) {
    if (block.label == "CERTIFICATE") chain.push_back({std::move(block.contents), block.line});
  }
  crypto::wipe(*blocks);  // a key may stand in the same file
  if (chain.empty()) return IdentityFault{Input::chain, 0, "the file has no CERTIFICATE block"};
  return chain;
}

LoadedChain chain_of_der(base::Bytes file) {
  der::Fault fault;
  der::Reader reader(file, fault);
  Chain chain;
  while (!reader.at_end()) {
    der::Element element;
    if (!reader.read(element, der::sequence, "the certificate"))
      return IdentityFault{Input::chain, 0, text_of(fault)};
    chain.push_back({{element.whole.begin(), element.whole.end()}, 0});
  }
  return chain;
}

LoadedChain load_chain(base::Bytes file) {
  if (file.empty()) return IdentityFault{Input::chain, 0, "the file is empty"};
  if (file.size() > crypto::max_pem_bytes)
    return IdentityFault{Input::chain, 0, "the file is larger than 1 MiB"};
  const bool der_file = file[0] == der::sequence && !crypto::looks_like_pem(file);
  return der_file ? chain_of_der(file) : chain_of_pem(file);
}

std::vector<HostName> names_of(const Certificate& leaf) {
  std::vector<HostName> names;
  AlternativeNames alternatives(leaf);
  GeneralName alternative;
  while (alternatives.next(alternative)) {
    if (const auto name = host_name(alternative)) names.push_back(*name);
  }
  return names;
}

// Of DER that has been parsed once.
std::vector<HostName> names_of(base::Bytes leaf) {
  Certificate certificate;
  der::Fault fault;
  return parse_certificate(certificate, fault, leaf) ? names_of(certificate) : std::vector<HostName>();
}

/// Checks certificate after certificate; each step answers the reason, empty when all is well.
class ChainCheck {
 public:
  ChainCheck(const Chain& chain, std::int64_t now) noexcept : chain_(chain), now_(now) {}

  Checked run(const crypto::P256PrivateKey& key) {
    if (chain_.empty()) return IdentityFault{Input::chain, 0, "there is no certificate"};
    for (std::size_t i = 0; i < chain_.size(); i++) {
      const std::string reason = check(i, key);
      if (!reason.empty()) return IdentityFault{Input::chain, chain_[i].line, called(i) + ": " + reason};
    }
    return {};
  }

 private:
  std::string check(std::size_t index, const crypto::P256PrivateKey& key) {
    const Certificate previous = current_;
    der::Fault fault;
    if (!parse_certificate(current_, fault, chain_[index].der)) return text_of(fault);
    message_bytes_ += entry_overhead_bytes + chain_[index].der.size();
    if (message_bytes_ > max_certificate_message_bytes) return "the chain up to here is over 48,000 octets";
    std::string reason = check_dates();
    if (!reason.empty()) return reason;
    if (index == 0) return check_leaf(key);
    if (crypto::oid::equal(previous.tbs.issuer, current_.tbs.subject)) return {};
    return "its subject is not the issuer of " + called(index - 1) +
           "; each must be followed by the one that issued it";
  }

  [[nodiscard]] std::string check_dates() const {
    const TbsCertificate& tbs = current_.tbs;
    if (now_ < tbs.not_before)
      return "it is not valid before " + std::string(date_text(tbs.not_before).view());
    if (now_ > tbs.not_after) return "it expired on " + std::string(date_text(tbs.not_after).view());
    return {};
  }

  [[nodiscard]] std::string check_leaf(const crypto::P256PrivateKey& key) const {
    const SubjectPublicKeyInfo& info = current_.public_key;
    if (info.kind != KeyAlgorithm::ecdsa_p256)
      return "its key is of kind " + kind_name(info) + "; P-256 is needed";
    const auto public_key = p256_key_vartime(info);
    if (!public_key) return "its key is not an uncompressed point of P-256";
    if (!is_same(*public_key, key.public_key())) return "its key is not the private key's";
    // RFC 8446 section 4.4.2.2.
    if (!allows(current_, KeyUsage::digital_signature)) return "its keyUsage does not allow digitalSignature";
    if (names_of(current_).size() > max_host_names)
      return "its subjectAltName has more than 255 names of hosts";
    return {};
  }

  static bool is_same(const crypto::P256PublicKey& a, const crypto::P256PublicKey& b) noexcept {
    std::uint8_t points[2][crypto::p256_point_bytes];
    a.write(points[0]);
    b.write(points[1]);
    return std::memcmp(points[0], points[1], crypto::p256_point_bytes) == 0;
  }

  // The curve says more than the algorithm, where there is one.
  static std::string kind_name(const SubjectPublicKeyInfo& info) {
    const base::Bytes parameters = info.algorithm.parameters;
    der::Fault fault;
    der::Reader reader(parameters, fault);
    base::Bytes curve;
    if (!crypto::oid::equal(info.algorithm.oid, crypto::oid::ec_public_key))
      return crypto::oid::name(info.algorithm.oid);
    return reader.read_oid(curve, "the curve") ? crypto::oid::name(curve)
                                               : "elliptic-curve without a named curve";
  }

  const Chain& chain_;
  std::int64_t now_;
  Certificate current_;
  std::size_t message_bytes_ = message_overhead_bytes;
};

std::vector<std::vector<std::uint8_t>> without_lines(Chain&& chain) {
  std::vector<std::vector<std::uint8_t>> certificates;
  certificates.reserve(chain.size());
  for (ChainEntry& entry : chain) certificates.push_back(std::move(entry.der));
  return certificates;
}

std::size_t entries_bytes(const std::vector<std::vector<std::uint8_t>>& chain) noexcept {
  std::size_t bytes = 0;
  for (const auto& certificate : chain) bytes += entry_overhead_bytes + certificate.size();
  return bytes;
}

}  // namespace

Identity::Identity(Private, const std::vector<std::vector<std::uint8_t>>& chain,
                   const crypto::P256PrivateKey& key)
    : certificate_message_(message_overhead_bytes + entries_bytes(chain)),
      key_(key),
      table_(crypto::P256VerifyTable::build_vartime(key.public_key())) {
  Writer writer(certificate_message_);
  write_certificate_message(writer, {}, std::vector<base::Bytes>(chain.begin(), chain.end()));
  std::size_t at = message_overhead_bytes + 3;
  for (const auto& certificate : chain) {
    certificates_.push_back(base::Bytes(certificate_message_).subspan(at, certificate.size()));
    at += certificate.size() + entry_overhead_bytes;
  }
  names_ = names_of(certificates_[0]);
}

Identity::~Identity() { key_.wipe(); }

Identity::Loaded Identity::load(base::Bytes chain_file, base::Bytes key_file, std::int64_t now) noexcept {
  LoadedChain chain = load_chain(chain_file);
  if (!chain) return chain.error();
  crypto::P256PrivateKey key;
  const auto key_loaded = crypto::load_private_key(key, key_file);
  if (!key_loaded) return IdentityFault{Input::key, key_loaded.error().line, key_loaded.error().reason};
  const Checked checked = ChainCheck(*chain, now).run(key);
  Loaded loaded =
      checked ? Loaded(std::make_shared<const Identity>(Private{}, without_lines(std::move(*chain)), key))
              : Loaded(checked.error());
  key.wipe();
  return loaded;
}

Identity::Loaded Identity::make(const std::vector<std::vector<std::uint8_t>>& chain,
                                const crypto::P256PrivateKey& key, std::int64_t now) noexcept {
  Chain entries;
  for (const auto& certificate : chain) entries.push_back({certificate, 0});
  const Checked checked = ChainCheck(entries, now).run(key);
  if (!checked) return checked.error();
  return std::make_shared<const Identity>(Private{}, chain, key);
}

bool Identity::sign(std::span<std::uint8_t, crypto::max_ecdsa_der_bytes> der, std::size_t& der_bytes,
                    base::Bytes content) const noexcept {
  return sign_content(der, der_bytes, key_, table_, content);
}

}  // namespace signet::tls
