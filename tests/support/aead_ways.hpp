// Seals and opens in every way that the overlap contract of crypto/aead.hpp allows, in an arena whose every
// octet is looked at afterwards: what had to change has changed, and nothing else.
//
//     arena:  | guard | dst ...                      | guard |
//             | guard | <- down -> | src ...   | tag | guard |      moved down: src in the same arena
//     disjoint: src is an allocation of its own, of exactly its size, so that a sanitizer sees a read beyond
//     it
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <signet/crypto/aead.hpp>

namespace signet::test {

using Octets = std::vector<std::uint8_t>;

struct AeadWay {
  const char* name;
  std::size_t down;
  bool disjoint;
};

/// In place, moved down by less and more than a block and by a record, and disjoint (design.md section 2).
constexpr AeadWay aead_ways[] = {
    {"in place", 0, false},          {"moved down by 1", 1, false},   {"moved down by 5", 5, false},
    {"moved down by 22", 22, false}, {"moved down by 64", 64, false}, {"moved down by 16401", 16401, false},
    {"disjoint", 0, true},
};

/// A message and what it has to become.
struct AeadCase {
  Octets key;
  Octets nonce;
  Octets aad;
  Octets plaintext;
  Octets ciphertext;
  Octets tag;

  [[nodiscard]] std::span<const std::uint8_t, crypto::aead_nonce_bytes> nonce_span() const {
    return std::span<const std::uint8_t, crypto::aead_nonce_bytes>(nonce.data(), crypto::aead_nonce_bytes);
  }
};

namespace aead_ways_detail {

constexpr std::size_t guard_bytes = 64;

/// A way's memory: an arena with a pattern in it and `src` in its place.
struct Arena {
  Octets octets;
  Octets apart;
  std::uint8_t* dst;
  std::uint8_t* src;

  /// `room` is how far behind the last octet of src and dst the way may write.
  Arena(const AeadWay& way, const Octets& message, std::size_t room)
      : octets(2 * guard_bytes + way.down + message.size() + room), apart(way.disjoint ? message : Octets()) {
    for (std::size_t i = 0; i < octets.size(); i++) octets[i] = static_cast<std::uint8_t>(0xA5 + 7 * i);
    dst = octets.data() + guard_bytes;
    src = way.disjoint ? apart.data() : dst + way.down;
    if (!way.disjoint && !message.empty()) std::copy(message.begin(), message.end(), src);
  }
};

inline void overlay(Octets& expected, std::size_t at, const Octets& octets) {
  std::copy(octets.begin(), octets.end(), expected.begin() + static_cast<std::ptrdiff_t>(at));
}

}  // namespace aead_ways_detail

/// Whether sealing, the plaintext's last `tail_bytes` given as tail, makes the case's ciphertext and, right
/// behind it, its tag, and touches nothing else.
[[nodiscard]] inline bool seals_in_way(const crypto::AeadKey& key, const AeadCase& c, std::size_t tail_bytes,
                                       const AeadWay& way) {
  using namespace aead_ways_detail;
  const std::size_t src_bytes = c.plaintext.size() - tail_bytes;
  const Octets message(c.plaintext.begin(), c.plaintext.begin() + static_cast<std::ptrdiff_t>(src_bytes));
  const Octets tail(c.plaintext.begin() + static_cast<std::ptrdiff_t>(src_bytes), c.plaintext.end());
  Arena arena(way, message, tail_bytes + crypto::aead_tag_bytes);
  Octets expected = arena.octets;
  overlay(expected, guard_bytes, c.ciphertext);
  overlay(expected, guard_bytes + c.ciphertext.size(), c.tag);
  key.seal(arena.dst, arena.dst + c.ciphertext.size(), c.nonce_span(), c.aad, {arena.src, src_bytes}, tail);
  return arena.octets == expected && (!way.disjoint || arena.apart == message);
}

/// Whether opening, the tag right behind the ciphertext, gives the case's plaintext and touches nothing else;
/// for a case that is not `genuine`, whether it is refused and dst is zeros.
[[nodiscard]] inline bool opens_in_way(const crypto::AeadKey& key, const AeadCase& c, bool genuine,
                                       const AeadWay& way) {
  using namespace aead_ways_detail;
  Octets message = c.ciphertext;
  message.insert(message.end(), c.tag.begin(), c.tag.end());
  Arena arena(way, message, 0);
  Octets expected = arena.octets;
  overlay(expected, guard_bytes, genuine ? c.plaintext : Octets(c.ciphertext.size()));
  const base::Bytes src(arena.src, c.ciphertext.size());
  const bool opened = key.open(arena.dst, c.nonce_span(), c.aad, src, arena.src + c.ciphertext.size());
  return opened == genuine && arena.octets == expected && (!way.disjoint || arena.apart == message);
}

}  // namespace signet::test
