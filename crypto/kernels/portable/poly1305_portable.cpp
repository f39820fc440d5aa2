// Poly1305 (RFC 8439 section 2.5); the step and its bounds are in the header.
// In: a key of 32 octets, blocks of 16 at any alignment. Constant time.
#include <signet/crypto/ct.hpp>
#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/crypto/kernels/portable/poly1305_portable.hpp>

namespace signet::crypto {

Poly1305Portable::Poly1305Portable(const std::uint8_t* key) noexcept {
  key_.r[0] = load_word<std::uint64_t>(key) & 0x0FFF'FFFC'0FFF'FFFF;
  key_.r[1] = load_word<std::uint64_t>(key + 8) & 0x0FFF'FFFC'0FFF'FFFC;
  key_.s[0] = load_word<std::uint64_t>(key + 16);
  key_.s[1] = load_word<std::uint64_t>(key + 24);
}

void Poly1305Portable::update(base::Bytes data) noexcept {
  Poly1305Sum sum = sum_;
  for (; data.size() >= 16; data = data.subspan(16))
    poly1305_step(sum, key_, load_word<u128>(data.data()), 1);
  if (!data.empty()) poly1305_step(sum, key_, load_octets(data.data(), data.size()), 1);
  sum_ = sum;
}

void Poly1305Portable::update_short(base::Bytes data) noexcept {
  const u128 end = u128{1} << (8 * data.size());
  poly1305_step(sum_, key_, load_octets(data.data(), data.size()) | end, 0);
}

void Poly1305Portable::update_words(std::uint64_t low, std::uint64_t high) noexcept {
  poly1305_step(sum_, key_, u128{high} << 64 | low, 1);
}

/// h mod 2^130 - 5, plus s mod 2^128. h < 2 (2^130 - 5), so one subtraction at most; h + 5 reaching 2^130
/// tells.
u128 Poly1305Portable::finish() noexcept {
  const auto high_word = [](u128 v) { return static_cast<std::uint64_t>(v >> 64); };
  const std::uint64_t* h = sum_.h;
  const u128 reduced = (u128{h[1]} << 64 | h[0]) + 5;
  const std::uint64_t carry = high_word(u128{high_word(u128{h[0]} + 5)} + h[1]);
  const ct::Mask over = ct::Mask::from_bit((h[2] + carry) >> 2 & 1);
  const std::uint64_t low = over.select(static_cast<std::uint64_t>(reduced), h[0]);
  const std::uint64_t high = over.select(high_word(reduced), h[1]);
  return (u128{high} << 64 | low) + (u128{key_.s[1]} << 64 | key_.s[0]);
}

void poly1305(std::uint8_t tag[16], const std::uint8_t* key, base::Bytes message) noexcept {
  Poly1305Portable mac(key);
  const std::size_t whole = message.size() / 16 * 16;
  mac.update(message.first(whole));
  if (whole != message.size()) mac.update_short(message.subspan(whole));
  store_word(tag, mac.finish());
  mac.wipe();
}

}  // namespace signet::crypto
