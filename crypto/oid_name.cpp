#include <signet/crypto/oid_name.hpp>

namespace signet::crypto::oid {
namespace {

struct Named {
  const char* numbers;
  const char* name;
};

constexpr Named names[] = {
    {"1.2.840.10045.2.1", "elliptic-curve"},
    {"1.2.840.10045.3.1.7", "P-256"},
    {"1.3.132.0.34", "P-384"},
    {"1.3.132.0.35", "P-521"},
    {"1.3.132.0.10", "secp256k1"},
    {"1.2.840.113549.1.1.1", "RSA"},
    {"1.2.840.113549.1.1.10", "RSA-PSS"},
    {"1.3.101.110", "X25519"},
    {"1.3.101.112", "Ed25519"},
    {"1.3.101.113", "Ed448"},
    {"1.2.840.10040.4.1", "DSA"},
};

void append_arc(std::string& text, std::uint64_t arc) {
  text += '.';
  text += std::to_string(arc);
}

// The first octets hold two arcs, 40 * first + second, of which the first is 0, 1 or 2 (X.690
// section 8.19.4).
void append_first_arcs(std::string& text, std::uint64_t both) {
  const std::uint64_t first = both < 80 ? both / 40 : 2;
  text += std::to_string(first);
  append_arc(text, both - 40 * first);
}

std::string numbers(base::Bytes oid) {
  std::string text;
  std::uint64_t arc = 0;
  for (const std::uint8_t octet : oid) {
    if (arc >> 57 != 0) return "an OID with a number of more than 64 bits";
    arc = arc << 7 | (octet & 0x7fu);
    if ((octet & 0x80) != 0) continue;
    text.empty() ? append_first_arcs(text, arc) : append_arc(text, arc);
    arc = 0;
  }
  return text;
}

}  // namespace

std::string name(base::Bytes oid) {
  std::string text = numbers(oid);
  for (const Named& named : names) {
    if (text == named.numbers) return named.name;
  }
  return text;
}

}  // namespace signet::crypto::oid
