// How targets read their inputs: one octet of control, then content. The content ends where the input ends,
// so that AddressSanitizer sees a parser that looks past it.
#pragma once

#include <algorithm>
#include <vector>

#include <signet/base/bytes.hpp>

namespace signet::fuzz {

using Octets = std::vector<std::uint8_t>;

/// Takes fields off the front; those that are not there are zero or shorter.
class Input {
 public:
  explicit Input(base::Bytes all) : rest_(all) { control_ = u8(); }

  /// Says how the target goes about the content; each target names its bits.
  [[nodiscard]] unsigned control() const { return control_; }
  /// `count` bits of the control octet, from bit `first` on.
  [[nodiscard]] unsigned control(unsigned first, unsigned count) const {
    return control_ >> first & ((1U << count) - 1);
  }

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  [[nodiscard]] base::Bytes rest() const { return rest_; }
  std::uint8_t u8() {
    const base::Bytes octet = bytes(1);
    return octet.empty() ? std::uint8_t{0} : octet[0];
  }
  std::uint16_t u16() {
    const unsigned high = u8();
    return static_cast<std::uint16_t>(high << 8 | u8());
  }
  base::Bytes bytes(std::size_t count) {
    const base::Bytes taken = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  /// Octets with their number before them.
  base::Bytes counted() { return bytes(u8()); }

 private:
  base::Bytes rest_;
  unsigned control_;
};

/// Sizes of the pieces that octets arrive in, by three bits of control; 0: all at once.
inline std::size_t piece_bytes(unsigned choice) {
  constexpr std::size_t sizes[] = {0, 1, 2, 3, 7, 16, 64, 509};
  return sizes[choice % std::size(sizes)];
}

}  // namespace signet::fuzz
