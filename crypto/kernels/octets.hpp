// Up to sixteen octets as one little-endian word: what the ends of messages are made of. No buffer, so no
// load has to wait for narrower stores. Branches follow the count alone.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto {

__extension__ using u128 = unsigned __int128;

template <class Word>
[[gnu::always_inline]] inline Word load_word(const std::uint8_t* p) noexcept {
  Word v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class Word>
[[gnu::always_inline]] inline void store_word(std::uint8_t* p, Word v) noexcept {
  std::memcpy(p, &v, sizeof v);
}

/// The `n` octets at `p`, n <= 16; the others are 0. The two halves may overlap: both say the same there.
[[gnu::always_inline]] inline u128 load_octets(const std::uint8_t* p, std::size_t n) noexcept {
  if (n >= 8) {
    return load_word<std::uint64_t>(p) | u128{load_word<std::uint64_t>(p + n - 8)} << (8 * (n - 8));
  }
  if (n >= 4) {
    return load_word<std::uint32_t>(p) | std::uint64_t{load_word<std::uint32_t>(p + n - 4)} << (8 * (n - 4));
  }
  if (n == 0) return 0;
  return p[0] | std::uint32_t{p[n / 2]} << (8 * (n / 2)) | std::uint32_t{p[n - 1]} << (8 * (n - 1));
}

/// Stores the first `n` octets of `v`, n <= 16, and touches no other.
[[gnu::always_inline]] inline void store_octets(std::uint8_t* p, u128 v, std::size_t n) noexcept {
  if (n >= 8) {
    store_word(p, static_cast<std::uint64_t>(v));
    store_word(p + n - 8, static_cast<std::uint64_t>(v >> (8 * (n - 8))));
  } else if (n >= 4) {
    store_word(p, static_cast<std::uint32_t>(v));
    store_word(p + n - 4, static_cast<std::uint32_t>(v >> (8 * (n - 4))));
  } else if (n != 0) {
    p[0] = static_cast<std::uint8_t>(v);
    p[n / 2] = static_cast<std::uint8_t>(v >> (8 * (n / 2)));
    p[n - 1] = static_cast<std::uint8_t>(v >> (8 * (n - 1)));
  }
}

/// `v` with all but its first `n` octets cleared, n <= 16.
[[gnu::always_inline]] inline u128 first_octets(u128 v, std::size_t n) noexcept {
  return n >= 16 ? v : v & ((u128{1} << (8 * n)) - 1);
}

/// A message that is two pieces, read sixteen octets at a time: a span, then up to sixteen octets held in a
/// word.
class TwoPieces {
 public:
  [[gnu::always_inline]] TwoPieces(base::Bytes first, u128 second, std::size_t second_bytes) noexcept
      : at_(first.data()), first_bytes_(first.size()), second_(second), second_bytes_(second_bytes) {}

  [[nodiscard, gnu::always_inline]] std::size_t left() const noexcept { return first_bytes_ + second_bytes_; }
  [[nodiscard, gnu::always_inline]] const std::uint8_t* at() const noexcept { return at_; }
  [[nodiscard, gnu::always_inline]] std::size_t first_left() const noexcept { return first_bytes_; }

  /// Passes over `n` octets of the first piece, which the caller has read by itself.
  [[gnu::always_inline]] void skip(std::size_t n) noexcept {
    at_ += n;
    first_bytes_ -= n;
  }

  /// The next block, its missing octets 0, and in `n` how many it has.
  [[gnu::always_inline]] u128 next(std::size_t& n) noexcept {
    if (first_bytes_ >= 16) {
      const u128 block = load_word<u128>(at_);
      skip(16);
      n = 16;
      return block;
    }
    const std::size_t head = first_bytes_;
    const std::size_t room = 16 - head;
    const std::size_t taken = second_bytes_ < room ? second_bytes_ : room;
    const u128 block = load_octets(at_, head) | second_ << (8 * head);
    second_ = head == 0 ? 0 : second_ >> (8 * room);
    second_bytes_ -= taken;
    skip(head);
    n = head + taken;
    return block;
  }

 private:
  const std::uint8_t* at_;
  std::size_t first_bytes_;
  u128 second_;
  std::size_t second_bytes_;
};

}  // namespace signet::crypto
