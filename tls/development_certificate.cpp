#include <signet/crypto/oid.hpp>
#include <signet/crypto/pem.hpp>
#include <signet/crypto/private_key.hpp>
#include <signet/crypto/random.hpp>
#include <signet/crypto/sha2.hpp>
#include <signet/tls/der_time.hpp>
#include <signet/tls/development_certificate.hpp>
#include <signet/tls/verified_signature.hpp>

namespace signet::tls {
namespace {

namespace der = crypto::der;
namespace oid = crypto::oid;

constexpr std::size_t max_bytes = 1024;  // it has about 500
constexpr std::int64_t day_seconds = 86'400;
constexpr std::string_view host_name = "localhost";
constexpr std::uint8_t loopback_ipv4[] = {127, 0, 0, 1};
constexpr std::uint8_t loopback_ipv6[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
constexpr std::size_t serial_bytes = 16;
constexpr std::size_t key_identifier_bytes = 20;

/// Writes the certificate's parts. Top-down: the functions stand in the order of RFC 5280 section 4.1.
class CertificateWriter {
 public:
  CertificateWriter(der::Writer& writer, const crypto::P256PublicKey& key, std::int64_t now) noexcept
      : writer_(writer), now_(now) {
    key.write(point_);
  }

  void write_tbs() noexcept {
    writer_.nested(der::sequence, [this] {
      writer_.nested(der::context_constructed(0), [this] { writer_.small_integer(2); });  // version 3
      write_serial();
      write_signature_algorithm();
      write_name();  // issuer
      writer_.nested(der::sequence, [this] {
        write_der_time(writer_, now_ - day_seconds);
        write_der_time(writer_, now_ + (development_days - 1) * day_seconds);
      });
      write_name();  // subject
      write_public_key();
      writer_.nested(der::context_constructed(3),
                     [this] { writer_.nested(der::sequence, [this] { write_extensions(); }); });
    });
  }

  void write_signature_algorithm() noexcept {
    writer_.nested(der::sequence,
                   [this] { writer_.element(der::object_identifier, oid::ecdsa_with_sha256); });
  }

 private:
  // The first octet is made 0x40 to 0x7f: positive, and never shorter than 16 octets.
  void write_serial() noexcept {
    std::uint8_t serial[serial_bytes];
    crypto::random_bytes(serial);
    serial[0] = static_cast<std::uint8_t>((serial[0] & 0x3f) | 0x40);
    writer_.element(der::integer, serial);
  }

  void write_name() noexcept {
    writer_.nested(der::sequence, [this] {
      writer_.nested(der::set, [this] {
        writer_.nested(der::sequence, [this] {
          writer_.element(der::object_identifier, oid::common_name);
          writer_.element(der::utf8_string, base::as_bytes(host_name));
        });
      });
    });
  }

  void write_public_key() noexcept {
    writer_.nested(der::sequence, [this] {
      writer_.nested(der::sequence, [this] {
        writer_.element(der::object_identifier, oid::ec_public_key);
        writer_.element(der::object_identifier, oid::p256);
      });
      writer_.bit_octets(point_);
    });
  }

  void write_extensions() noexcept {
    write_extension(oid::basic_constraints, true, [this] { writer_.element(der::sequence, {}); });  // no CA
    write_extension(oid::key_usage, true, [this] {
      static constexpr std::uint8_t digital_signature[] = {7, 0x80};  // seven unused bits, bit 0 set
      writer_.element(der::bit_string, digital_signature);
    });
    write_extension(oid::extended_key_usage, false, [this] {
      writer_.nested(der::sequence, [this] { writer_.element(der::object_identifier, oid::server_auth); });
    });
    write_extension(oid::subject_key_identifier, false, [this] { write_key_identifier(); });
    write_extension(oid::subject_alt_name, false, [this] { write_alternative_names(); });
  }

  // The leftmost 160 bits of SHA-256 of the key (RFC 7093 section 2, method 1).
  void write_key_identifier() noexcept {
    std::uint8_t digest[crypto::Sha256::digest_bytes];
    crypto::Sha256 hash;
    hash.update(point_);
    hash.finish(digest);
    writer_.element(der::octet_string, base::Bytes(digest).first(key_identifier_bytes));
  }

  void write_alternative_names() noexcept {
    writer_.nested(der::sequence, [this] {
      writer_.element(der::context(2), base::as_bytes(host_name));
      writer_.element(der::context(7), loopback_ipv4);
      writer_.element(der::context(7), loopback_ipv6);
    });
  }

  template <class Fill>
  void write_extension(base::Bytes id, bool critical, Fill&& fill) noexcept {
    writer_.nested(der::sequence, [&] {
      writer_.element(der::object_identifier, id);
      if (critical) writer_.true_boolean();
      writer_.nested(der::octet_string, fill);
    });
  }

  der::Writer& writer_;
  std::uint8_t point_[crypto::p256_point_bytes];
  std::int64_t now_;
};

// One octet string in 2^32 is not below the order.
void make_key(crypto::P256PrivateKey& key) noexcept {
  std::optional<crypto::P256PrivateKey> made;
  while (!made) {
    std::uint8_t scalar[crypto::p256_scalar_bytes];
    crypto::random_bytes(scalar);
    made = crypto::P256PrivateKey::from_scalar(scalar);
    base::wipe(scalar);
  }
  key = *made;
  made->wipe();
}

// Empty when the signature does not verify.
std::vector<std::uint8_t> write_certificate(const crypto::P256PrivateKey& key, std::int64_t now) {
  std::uint8_t tbs_room[max_bytes];
  std::uint8_t room[max_bytes];
  std::uint8_t signature[crypto::max_ecdsa_der_bytes];
  std::size_t signature_bytes = 0;
  der::Writer tbs(tbs_room);
  CertificateWriter(tbs, key.public_key(), now).write_tbs();
  const auto table = crypto::P256VerifyTable::build_vartime(key.public_key());
  if (!tbs.ok() || !sign_content(signature, signature_bytes, key, table, tbs.written())) return {};
  der::Writer whole(room);
  whole.nested(der::sequence, [&] {
    whole.raw(tbs.written());
    CertificateWriter(whole, key.public_key(), now).write_signature_algorithm();
    whole.bit_octets(base::Bytes(signature).first(signature_bytes));
  });
  if (!whole.ok()) return {};
  return {whole.written().begin(), whole.written().end()};
}

std::string key_pem(const crypto::P256PrivateKey& key) {
  std::uint8_t sec1[crypto::max_sec1_bytes];
  const std::size_t sec1_bytes = crypto::write_sec1(sec1, key);
  std::string text = crypto::write_pem("EC PRIVATE KEY", base::Bytes(sec1).first(sec1_bytes));
  base::wipe(sec1);
  return text;
}

base::Result<DevelopmentCertificate, IdentityFault> make(const crypto::P256PrivateKey& key,
                                                         std::int64_t now) {
  const std::vector<std::uint8_t> certificate = write_certificate(key, now);
  if (certificate.empty())
    return IdentityFault{IdentityFault::Input::key, 0, "the signature made does not verify"};
  Identity::Loaded identity = Identity::make({certificate}, key, now);
  if (!identity) return identity.error();
  DevelopmentCertificate made;
  made.identity = std::move(*identity);
  made.certificate_pem = crypto::write_pem("CERTIFICATE", certificate);
  made.key_pem = key_pem(key);
  crypto::Sha256 hash;
  hash.update(certificate);
  hash.finish(made.sha256);
  return made;
}

}  // namespace

DevelopmentCertificate::~DevelopmentCertificate() {
  base::wipe({reinterpret_cast<std::uint8_t*>(key_pem.data()), key_pem.size()});
}

base::Result<DevelopmentCertificate, IdentityFault> make_development_certificate(std::int64_t now) noexcept {
  crypto::P256PrivateKey key;
  make_key(key);
  auto made = make(key, now);
  key.wipe();
  return made;
}

}  // namespace signet::tls
