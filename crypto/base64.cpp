#include <signet/crypto/base64.hpp>
#include <signet/crypto/ct.hpp>

namespace signet::crypto {
namespace {

// All ones where first <= v <= last; all three are below 2^32.
ct::Mask in_range(std::uint64_t v, std::uint64_t first, std::uint64_t last) noexcept {
  return ~ct::Mask::from_bit((v - first) >> 63) & ~ct::Mask::from_bit((last - v) >> 63);
}

constexpr std::uint64_t not_in_alphabet = 64;

// 0 to 63, or not_in_alphabet.
std::uint64_t value_of(std::uint8_t c) noexcept {
  std::uint64_t v = not_in_alphabet;
  v = in_range(c, 'A', 'Z').select(c - std::uint64_t{'A'}, v);
  v = in_range(c, 'a', 'z').select(c - std::uint64_t{'a'} + 26, v);
  v = in_range(c, '0', '9').select(c - std::uint64_t{'0'} + 52, v);
  v = ct::Mask::equal(c, '+').select(62, v);
  return ct::Mask::equal(c, '/').select(63, v);
}

char character_of(std::uint64_t v) noexcept {
  std::uint64_t c = '/';
  c = in_range(v, 0, 25).select(v + 'A', c);
  c = in_range(v, 26, 51).select(v + 'a' - 26, c);
  c = in_range(v, 52, 61).select(v + '0' - 52, c);
  return static_cast<char>(ct::Mask::equal(v, 62).select('+', c));
}

}  // namespace

bool Base64Decoder::update(std::vector<std::uint8_t>& octets, std::string_view text) {
  for (const char c : text) {
    if (!(c == '=' ? take_padding() : take(octets, c))) return false;
  }
  return true;
}

bool Base64Decoder::take(std::vector<std::uint8_t>& octets, char c) {
  const std::uint64_t value = value_of(static_cast<std::uint8_t>(c));
  if (value == not_in_alphabet) return fail("a character is not base64");
  if (padding_characters_ != 0) return fail("base64 goes on after its padding");
  pending_ = (pending_ << 6 | static_cast<std::uint32_t>(value)) & 0xfff;
  if (quad_characters_ != 0) {
    octets.push_back(static_cast<std::uint8_t>(pending_ >> (6 - 2 * quad_characters_)));
  }
  quad_characters_ = (quad_characters_ + 1) % 4;
  return true;
}

bool Base64Decoder::take_padding() noexcept {
  if (quad_characters_ < 2 || padding_characters_ == 2) return fail("base64 has padding where none belongs");
  const unsigned unused_bits = padding_characters_ != 0 ? 0 : quad_characters_ == 2 ? 4 : 2;
  if ((pending_ & ((1u << unused_bits) - 1)) != 0)
    return fail("base64 has bits behind the last octet that are not zero");
  padding_characters_++;
  quad_characters_ = (quad_characters_ + 1) % 4;
  return true;
}

bool Base64Decoder::finish() noexcept {
  return quad_characters_ == 0 || fail("base64 ends before a group of four is full");
}

void append_base64(std::string& text, base::Bytes octets) {
  while (!octets.empty()) {
    const std::size_t count = octets.size() < 3 ? octets.size() : 3;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; i++) group = group << 8 | (i < count ? octets[i] : 0u);
    for (std::size_t i = 0; i < 4; i++) {
      text += i <= count ? character_of(group >> (18 - 6 * i) & 63) : '=';
    }
    octets = octets.subspan(count);
  }
}

}  // namespace signet::crypto
