#include <optional>

#include <signet/crypto/der.hpp>
#include <signet/crypto/oid.hpp>
#include <signet/crypto/oid_name.hpp>
#include <signet/crypto/private_key.hpp>

namespace signet::crypto {
namespace {

using Loaded = base::Result<void, LoadFault>;

constexpr std::string_view sec1_label = "EC PRIVATE KEY";
constexpr std::string_view pkcs8_label = "PRIVATE KEY";
constexpr std::string_view encrypted_label = "ENCRYPTED PRIVATE KEY";

/// What the encodings say, as views into them. The private octets are secret.
struct Parts {
  base::Bytes scalar;
  base::Bytes public_point;  // empty when the file has none
};

std::string text_of(const der::Fault& fault) {
  return "octet " + std::to_string(fault.offset) + ": " + fault.what + " " + fault.problem;
}

/// Reads both encodings. A refusal that needs more than static words is put into refusal_.
class KeyReader {
 public:
  Loaded read(Parts& parts, base::Bytes der) {
    der::Reader file(der, fault_);
    if (read_file(parts, file)) return {};
    if (!refusal_.empty()) return LoadFault{refusal_, 0};
    return LoadFault{"the key is not valid: " + text_of(fault_), 0};
  }

 private:
  bool read_file(Parts& parts, der::Reader file) {
    der::Reader key;
    if (!file.enter(key, der::sequence, "the private key") || !file.finish("the private key")) return false;
    // EncryptedPrivateKeyInfo alone begins with a SEQUENCE (RFC 5958 section 3).
    if (key.next_is(der::sequence)) {
      return refuse("the key is encrypted (PKCS#8); only keys without a pass phrase are read");
    }
    std::uint32_t version = 0;
    if (!key.read_small_integer(version, "version")) return false;
    if (key.next_is(der::integer)) return refuse_other("RSA");  // PKCS#1: the modulus follows the version
    if (key.next_is(der::octet_string))
      return version == 1 ? read_sec1(parts, key, true) : wrong_version(version);
    return version <= 1 ? read_pkcs8(parts, key, version) : wrong_version(version);
  }

  // RFC 5958 section 2, after the version: algorithm, OCTET STRING, [0] attributes, [1] public key in version
  // 1 only.
  bool read_pkcs8(Parts& parts, der::Reader& key, std::uint32_t version) {
    base::Bytes octets;
    if (!read_algorithm(key) || !key.read_octet_string(octets, "privateKey")) return false;
    der::Element attributes;
    if (key.next_is(der::context_constructed(0)) && !key.any(attributes, "attributes")) return false;
    base::Bytes outer_point;
    if (version == 1 && key.next_is(der::context(1)) && !read_implicit_point(outer_point, key)) return false;
    if (!key.finish("PrivateKeyInfo")) return false;

    der::Reader inside;
    der::Reader sec1;
    if (!key.within(inside, octets, "ECPrivateKey") || !inside.enter(sec1, der::sequence, "ECPrivateKey"))
      return false;
    std::uint32_t sec1_version = 0;
    if (!inside.finish("ECPrivateKey") || !sec1.read_small_integer(sec1_version, "ECPrivateKey version"))
      return false;
    if (sec1_version != 1) return wrong_version(sec1_version);
    return read_sec1(parts, sec1, false) && join_points(parts, outer_point);
  }

  bool read_algorithm(der::Reader& key) {
    der::Reader algorithm;
    base::Bytes oid;
    if (!key.enter(algorithm, der::sequence, "privateKeyAlgorithm")) return false;
    if (!algorithm.read_oid(oid, "privateKeyAlgorithm")) return false;
    if (!oid::equal(oid, oid::ec_public_key)) return refuse_other(oid::name(oid));
    return read_curve(algorithm) && algorithm.finish("privateKeyAlgorithm");
  }

  // RFC 5915 section 3, after the version: OCTET STRING, [0] curve, [1] public key.
  bool read_sec1(Parts& parts, der::Reader& key, bool needs_curve) {
    if (!key.read_octet_string(parts.scalar, "privateKey")) return false;
    if (key.next_is(der::context_constructed(0))) {
      der::Reader parameters;
      if (!key.enter(parameters, der::context_constructed(0), "parameters")) return false;
      if (!read_curve(parameters) || !parameters.finish("parameters")) return false;
    } else if (needs_curve) {
      return refuse("the key names no curve; a P-256 key must");
    }
    if (parts.scalar.size() != p256_scalar_bytes) {
      return refuse("the private scalar has " + std::to_string(parts.scalar.size()) +
                    " octets, P-256 has 32");
    }
    return read_explicit_point(parts, key) && key.finish("ECPrivateKey");
  }

  bool read_curve(der::Reader& reader) {
    if (reader.next_is(der::sequence))
      return refuse("the key spells its curve out; only the name P-256 is read");
    base::Bytes curve;
    if (!reader.read_oid(curve, "the curve")) return false;
    return oid::equal(curve, oid::p256) || refuse_other(oid::name(curve));
  }

  static bool read_explicit_point(Parts& parts, der::Reader& key) {
    if (!key.next_is(der::context_constructed(1))) return true;
    der::Reader point;
    return key.enter(point, der::context_constructed(1), "publicKey") &&
           point.read_bit_octets(parts.public_point, "publicKey") && point.finish("publicKey");
  }

  static bool read_implicit_point(base::Bytes& point, der::Reader& key) {
    der::Element element;
    if (!key.read(element, der::context(1), "publicKey")) return false;
    if (element.content.size() < 2 || element.content[0] != 0) {
      return key.fail_at(element.whole, "publicKey", "is not a whole number of octets");
    }
    point = element.content.subspan(1);
    return true;
  }

  bool join_points(Parts& parts, base::Bytes outer_point) {
    if (outer_point.empty()) return true;
    if (parts.public_point.empty()) parts.public_point = outer_point;
    return oid::equal(parts.public_point, outer_point) || refuse("the file has two public keys that differ");
  }

  bool wrong_version(std::uint32_t version) {
    return refuse("the key has version " + std::to_string(version) + ", which is not known for its form");
  }

  bool refuse_other(const std::string& kind) {
    return refuse("the key is of kind " + kind + "; a P-256 key is needed");
  }

  bool refuse(std::string reason) {
    refusal_ = std::move(reason);
    return false;
  }

  der::Fault fault_;
  std::string refusal_;
};

// Both encodings of SEC 1 section 2.3.3; the compressed one has the parity of y and x.
bool is_point_of(base::Bytes point, const P256PrivateKey& key) noexcept {
  std::uint8_t own[p256_point_bytes];
  key.public_key().write(own);
  if (point.size() == p256_point_bytes) return std::memcmp(point.data(), own, sizeof own) == 0;
  const std::uint8_t compressed_tag = 2 | (own[64] & 1);
  return point.size() == 33 && point[0] == compressed_tag && std::memcmp(point.data() + 1, own + 1, 32) == 0;
}

Loaded key_from_parts(P256PrivateKey& key, const Parts& parts) {
  std::optional<P256PrivateKey> made = P256PrivateKey::from_scalar(parts.scalar.first<p256_scalar_bytes>());
  if (!made) return LoadFault{"the private scalar is zero or not below the order of P-256", 0};
  const bool matches = parts.public_point.empty() || is_point_of(parts.public_point, *made);
  if (matches) key = *made;
  made->wipe();
  if (!matches) return LoadFault{"the public key in the file is not the private key's", 0};
  return {};
}

/// Takes the one key out of `blocks`; what is no key is passed over.
Loaded find_key(const PemBlock*& found, const std::vector<PemBlock>& blocks) {
  for (const PemBlock& block : blocks) {
    if (block.label == encrypted_label) {
      return LoadFault{"the key is encrypted (PKCS#8); only keys without a pass phrase are read", block.line};
    }
    if (block.label == sec1_label || block.label == pkcs8_label) {
      if (found != nullptr) return LoadFault{"the file has a second private key", block.line};
      found = &block;
    } else if (block.label.ends_with(pkcs8_label)) {
      return LoadFault{"the key is of kind " + block.label + "; a P-256 key is needed", block.line};
    }
  }
  if (found == nullptr) return LoadFault{"the file has no private key", 0};
  return {};
}

Loaded key_from_blocks(P256PrivateKey& key, const std::vector<PemBlock>& blocks) {
  const PemBlock* found = nullptr;
  Loaded loaded = find_key(found, blocks);
  if (!loaded) return loaded;
  loaded = parse_private_key(key, found->contents);
  if (!loaded) return LoadFault{loaded.error().reason, found->line};
  return {};
}

}  // namespace

Loaded load_private_key(P256PrivateKey& key, base::Bytes file) noexcept {
  key.wipe();
  if (file.empty()) return LoadFault{"the file is empty", 0};
  if (!looks_like_pem(file) && file[0] == der::sequence) return parse_private_key(key, file);
  auto blocks = parse_pem(file);
  if (!blocks) return blocks.error();
  Loaded loaded = key_from_blocks(key, *blocks);
  wipe(*blocks);
  return loaded;
}

Loaded parse_private_key(P256PrivateKey& key, base::Bytes der) noexcept {
  key.wipe();
  if (der.size() > max_private_key_der_bytes) return LoadFault{"the key has more than 16,384 octets", 0};
  Parts parts;
  Loaded read = KeyReader().read(parts, der);
  return read ? key_from_parts(key, parts) : read;
}

std::size_t write_sec1(std::span<std::uint8_t, max_sec1_bytes> der, const P256PrivateKey& key) noexcept {
  std::uint8_t point[p256_point_bytes];
  key.public_key().write(point);
  der::Writer writer(der);
  writer.nested(der::sequence, [&] {
    writer.small_integer(1);
    writer.element(der::octet_string, key.scalar());
    writer.nested(der::context_constructed(0), [&] { writer.element(der::object_identifier, oid::p256); });
    writer.nested(der::context_constructed(1), [&] { writer.bit_octets(point); });
  });
  return writer.written().size();
}

}  // namespace signet::crypto
