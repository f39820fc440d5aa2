// ECDSA-Sig-Value (RFC 3279 section 2.2.3): SEQUENCE { r INTEGER, s INTEGER }, in strict DER.
#include <signet/crypto/p256.hpp>

namespace signet::crypto {
namespace {

constexpr std::uint8_t tag_integer = 0x02;
constexpr std::uint8_t tag_sequence = 0x30;

// Without leading zero octets, but with one where the highest bit is set (X.690 section 8.3.2). Answers its
// end.
std::uint8_t* write_integer(std::uint8_t* out, const std::uint8_t (&value)[32]) noexcept {
  std::size_t skipped = 0;
  while (skipped < 31 && value[skipped] == 0) skipped++;
  const bool padded = (value[skipped] & 0x80) != 0;
  const std::size_t length = 32 - skipped;
  *out++ = tag_integer;
  *out++ = static_cast<std::uint8_t>(length + (padded ? 1 : 0));
  if (padded) *out++ = 0;
  std::memcpy(out, value + skipped, length);
  return out + length;
}

// The content of a value with `tag` at the front of `in`, which it leaves behind. Every length here is below
// 128 and so one octet; nullopt for the long form, which would not be minimal.
std::optional<base::Bytes> take_value(base::Bytes& in, std::uint8_t tag) noexcept {
  if (in.size() < 2 || in[0] != tag || in[1] >= 0x80 || in[1] > in.size() - 2) return std::nullopt;
  const base::Bytes content = in.subspan(2, in[1]);
  in = in.subspan(2 + content.size());
  return content;
}

// Not negative, without needless leading zeros, at most 256 bits.
bool take_integer(base::Bytes& in, std::uint8_t (&value)[32]) noexcept {
  const auto content = take_value(in, tag_integer);
  if (!content || content->empty() || ((*content)[0] & 0x80) != 0) return false;
  base::Bytes digits = *content;
  if (digits.size() > 1 && digits[0] == 0) {
    if ((digits[1] & 0x80) == 0) return false;
    digits = digits.subspan(1);
  }
  if (digits.size() > sizeof value) return false;
  std::memset(value, 0, sizeof value);
  std::memcpy(value + sizeof value - digits.size(), digits.data(), digits.size());
  return true;
}

}  // namespace

std::size_t ecdsa_to_der(std::span<std::uint8_t, max_ecdsa_der_bytes> der,
                         const EcdsaSignature& signature) noexcept {
  std::uint8_t* const content = der.data() + 2;
  const std::uint8_t* const end = write_integer(write_integer(content, signature.r), signature.s);
  der[0] = tag_sequence;
  der[1] = static_cast<std::uint8_t>(end - content);
  return static_cast<std::size_t>(end - der.data());
}

std::optional<EcdsaSignature> ecdsa_from_der_vartime(base::Bytes der) noexcept {
  const auto sequence = take_value(der, tag_sequence);
  if (!sequence || !der.empty()) return std::nullopt;
  base::Bytes integers = *sequence;
  EcdsaSignature signature;
  if (!take_integer(integers, signature.r) || !take_integer(integers, signature.s)) return std::nullopt;
  if (!integers.empty()) return std::nullopt;
  return signature;
}

}  // namespace signet::crypto
