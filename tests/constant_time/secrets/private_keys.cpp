// A private key from its file's octets to its use and back: the scalar's octets are secret, and all of the
// text between PEM's lines.
#include <string>

#include "marks.hpp"

#include <signet/crypto/base64.hpp>
#include <signet/crypto/private_key.hpp>

namespace signet::secrets {
namespace {

using crypto::P256PrivateKey;

struct Sec1 {
  std::uint8_t octets[crypto::max_sec1_bytes];
  std::size_t bytes;

  [[nodiscard]] base::Bytes view() const { return {octets, bytes}; }
};

constexpr std::size_t scalar_at = 7;  // behind the SEQUENCE, the version and the OCTET STRING's head

Sec1 write(const P256PrivateKey& key) {
  Sec1 file;
  file.bytes = crypto::write_sec1(file.octets, key);
  return file;
}

void run_der() {
  begin("private key, from SEC1 and to SEC1", "portable");
  const auto made = P256PrivateKey::from_scalar(Secret<32>(18).octets);
  require(made.has_value(), "a P-256 key pair");
  Sec1 file = write(*made);
  reveal(file.octets, "a file of its own begins: its frame and its point are public");
  mark_secret(base::MutBytes(file.octets).subspan(scalar_at, crypto::p256_scalar_bytes));

  P256PrivateKey loaded;
  require(bool(crypto::parse_private_key(loaded, file.view())), "reading a private key");
  Sec1 again = write(loaded);
  require(again.bytes == file.bytes, "writing a private key");
  reveal(again.octets, "the end of the test: the scalar was marked all along");
}

void run_base64() {
  begin("private key, from base64 and to base64", "portable");
  const Secret<100> octets(19);
  std::string text;
  crypto::append_base64(text, octets.octets);
  std::vector<std::uint8_t> decoded;
  crypto::Base64Decoder decoder;
  require(decoder.update(decoded, text) && decoder.finish(), "decoding base64");
  reveal_bytes(decoded, "the end of the test: the octets were marked all along");
}

}  // namespace

void run_private_keys() {
  run_der();
  run_base64();
}

}  // namespace signet::secrets
