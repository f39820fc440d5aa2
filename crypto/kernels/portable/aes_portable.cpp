// AES (FIPS 197) without a table: S(x) = A * x^-1 + 0x63 in GF(2^8), computed on bit planes for four blocks
// at once.
//
// Plane b holds bit b of 64 octets. The octet in row r, column c of block k is at bit 16 r + 4 c + k, so that
// ShiftRows turns each 16-bit row by a multiple of 4 and MixColumns turns the plane by a multiple of 16:
//
//     plane:  | row 3          | row 2          | row 1          | row 0          |
//     a row:  | column 3: blocks 3 2 1 0 | column 2 | column 1 | column 0 |
//
// In and out: blocks of 16 octets at any alignment. Constant time: logic and shifts only, no secret index or
// branch.
#include <signet/crypto/kernels/portable/aes_portable.hpp>

namespace signet::crypto {
namespace {

using Word = std::uint64_t;

// The field as a tower, smallest first: GF(4) = {p w + q | w^2 = w + 1}, GF(16) = {p z + q | z^2 = z + w},
// GF(256) = {p y + q | y^2 = y + v}. Inversion in the tower needs few steps. `hi` is p and `lo` is q.

struct Gf4 {
  Word hi, lo;
};
struct Gf16 {
  Gf4 hi, lo;
};

inline Gf4 operator^(Gf4 a, Gf4 b) noexcept { return {a.hi ^ b.hi, a.lo ^ b.lo}; }
inline Gf16 operator^(Gf16 a, Gf16 b) noexcept { return {a.hi ^ b.hi, a.lo ^ b.lo}; }

inline Gf4 operator*(Gf4 a, Gf4 b) noexcept {
  const Word low = a.lo & b.lo;
  return {((a.hi ^ a.lo) & (b.hi ^ b.lo)) ^ low, (a.hi & b.hi) ^ low};
}
inline Gf4 square(Gf4 a) noexcept { return {a.hi, a.hi ^ a.lo}; }
inline Gf4 inverse(Gf4 a) noexcept { return square(a); }
inline Gf4 times_w(Gf4 a) noexcept { return {a.hi ^ a.lo, a.hi}; }

inline Gf16 operator*(Gf16 a, Gf16 b) noexcept {
  const Gf4 low = a.lo * b.lo;
  return {((a.hi ^ a.lo) * (b.hi ^ b.lo)) ^ low, times_w(a.hi * b.hi) ^ low};
}
inline Gf16 square(Gf16 a) noexcept { return {square(a.hi), square(a.lo) ^ times_w(square(a.hi))}; }
inline Gf16 inverse(Gf16 a) noexcept {
  const Gf4 norm_inverse = inverse(times_w(square(a.hi)) ^ a.lo * (a.hi ^ a.lo));
  return {a.hi * norm_inverse, (a.hi ^ a.lo) * norm_inverse};
}

// The same tower on small numbers (bit i is coordinate i), to find the maps between it and AES's own GF(2^8).

constexpr unsigned tower_times(unsigned a, unsigned b, unsigned half_bits) noexcept {
  if (half_bits == 0) return a & b;
  const unsigned mask = (1U << half_bits) - 1;
  const unsigned ah = a >> half_bits, al = a & mask, bh = b >> half_bits, bl = b & mask;
  // What the square of the upper basis element adds below it: 1, w, v.
  const unsigned square_low = half_bits == 1 ? 1U : half_bits == 2 ? 2U : 8U;
  const unsigned low = tower_times(al, bl, half_bits / 2);
  const unsigned high = tower_times(ah, bh, half_bits / 2);
  const unsigned cross = tower_times(ah ^ al, bh ^ bl, half_bits / 2) ^ low;
  return cross << half_bits | (tower_times(high, square_low, half_bits / 2) ^ low);
}

constexpr Gf16 tower_v = {{~Word{0}, 0}, {0, 0}};

/// A root of AES's polynomial x^8 + x^4 + x^3 + x + 1 in the tower: where the map sends x.
constexpr unsigned root_of_aes_polynomial() noexcept {
  for (unsigned a = 2; a < 256; a++) {
    const unsigned a2 = tower_times(a, a, 4);
    const unsigned a4 = tower_times(a2, a2, 4);
    if ((tower_times(a4, a4, 4) ^ a4 ^ tower_times(a2, a, 4) ^ a ^ 1U) == 0) return a;
  }
  return 0;
}
constexpr unsigned root = root_of_aes_polynomial();
static_assert(root != 0);

/// A linear map of eight bits: column[i] is the image of bit i.
struct Map {
  unsigned column[8];

  [[nodiscard]] constexpr unsigned operator()(unsigned in) const noexcept {
    unsigned out = 0;
    for (unsigned i = 0; i < 8; i++) out ^= (in >> i & 1U) != 0 ? column[i] : 0U;
    return out;
  }
};

constexpr Map make_into_tower() noexcept {
  Map map{};
  map.column[0] = 1;
  for (unsigned i = 1; i < 8; i++) map.column[i] = tower_times(map.column[i - 1], root, 4);
  return map;
}
constexpr Map into_tower = make_into_tower();

/// FIPS 197 section 5.1.1: bit i of the result is the sum of bits i, i + 4, i + 5, i + 6 and i + 7.
constexpr unsigned affine(unsigned a) noexcept {
  const unsigned twice = a | a << 8;
  return (a ^ twice >> 4 ^ twice >> 5 ^ twice >> 6 ^ twice >> 7) & 0xFFU;
}

constexpr Map make_out_of_tower() noexcept {
  Map map{};
  for (unsigned a = 0; a < 256; a++) {
    for (unsigned i = 0; i < 8; i++) {
      if (into_tower(a) == 1U << i) map.column[i] = affine(a);
    }
  }
  return map;
}
constexpr Map out_of_tower = make_out_of_tower();

template <const Map& map, unsigned row, unsigned column>
inline Word term(const AesPlanes& in) noexcept {
  if constexpr ((map.column[column] >> row & 1U) != 0) return in.bit[column];
  return 0;
}

template <const Map& map, unsigned row>
inline Word sum_of_row(const AesPlanes& in) noexcept {
  return term<map, row, 0>(in) ^ term<map, row, 1>(in) ^ term<map, row, 2>(in) ^ term<map, row, 3>(in) ^
         term<map, row, 4>(in) ^ term<map, row, 5>(in) ^ term<map, row, 6>(in) ^ term<map, row, 7>(in);
}

template <const Map& map>
inline AesPlanes apply(const AesPlanes& in) noexcept {
  return {{sum_of_row<map, 0>(in), sum_of_row<map, 1>(in), sum_of_row<map, 2>(in), sum_of_row<map, 3>(in),
           sum_of_row<map, 4>(in), sum_of_row<map, 5>(in), sum_of_row<map, 6>(in), sum_of_row<map, 7>(in)}};
}

AesPlanes sub_bytes(const AesPlanes& in) noexcept {
  const AesPlanes t = apply<into_tower>(in);
  const Gf16 hi = {{t.bit[7], t.bit[6]}, {t.bit[5], t.bit[4]}};
  const Gf16 lo = {{t.bit[3], t.bit[2]}, {t.bit[1], t.bit[0]}};
  const Gf16 norm_inverse = inverse(tower_v * square(hi) ^ lo * (hi ^ lo));
  const Gf16 ih = hi * norm_inverse;
  const Gf16 il = (hi ^ lo) * norm_inverse;
  AesPlanes out =
      apply<out_of_tower>({{il.lo.lo, il.lo.hi, il.hi.lo, il.hi.hi, ih.lo.lo, ih.lo.hi, ih.hi.lo, ih.hi.hi}});
  for (int i : {0, 1, 5, 6}) out.bit[i] = ~out.bit[i];  // + 0x63
  return out;
}

void shift_rows(AesPlanes& p) noexcept {
  constexpr Word row1 = 0xFFFF0000, row2 = row1 << 16, row3 = row2 << 16;
  constexpr Word low4 = 0x000F'000F'000F'000F, low8 = 0x00FF'00FF'00FF'00FF, low12 = 0x0FFF'0FFF'0FFF'0FFF;
  for (Word& w : p.bit) {
    const Word by1 = (w >> 4 & low12) | (w & low4) << 12;
    const Word by2 = (w >> 8 & low8) | (w & low8) << 8;
    const Word by3 = (w >> 12 & low4) | (w & low12) << 4;
    w = (w & 0xFFFF) | (by1 & row1) | (by2 & row2) | (by3 & row3);
  }
}

inline Word rows_down(Word w, int rows) noexcept { return w >> (16 * rows) | w << (64 - 16 * rows); }

/// Row r becomes 2 a[r] + 3 a[r+1] + a[r+2] + a[r+3], that is 2 (a[r] + a[r+1]) + a[r+1] + (a[r+2] + a[r+3]).
void mix_columns(AesPlanes& p) noexcept {
  AesPlanes pair;
  for (int i = 0; i < 8; i++) pair.bit[i] = p.bit[i] ^ rows_down(p.bit[i], 1);
  const Word overflow = pair.bit[7];  // x^8 = x^4 + x^3 + x + 1
  const Word doubled[8] = {overflow,
                           pair.bit[0] ^ overflow,
                           pair.bit[1],
                           pair.bit[2] ^ overflow,
                           pair.bit[3] ^ overflow,
                           pair.bit[4],
                           pair.bit[5],
                           pair.bit[6]};
  for (int i = 0; i < 8; i++) p.bit[i] = doubled[i] ^ rows_down(p.bit[i], 1) ^ rows_down(pair.bit[i], 2);
}

void add_key(AesPlanes& p, const AesPlanes& key) noexcept {
  for (int i = 0; i < 8; i++) p.bit[i] ^= key.bit[i];
}

template <int shift>
inline void swap_bits(Word& a, Word& b, Word low) noexcept {
  const Word t = (a >> shift ^ b) & low;
  b ^= t;
  a ^= t << shift;
}

/// Turns bit i of the octets of word j into bit j of the octets of word i; its own inverse.
void transpose(Word w[8]) noexcept {
  for (int i = 0; i < 8; i += 2) swap_bits<1>(w[i], w[i + 1], 0x5555'5555'5555'5555);
  for (int i : {0, 1, 4, 5}) swap_bits<2>(w[i], w[i + 2], 0x3333'3333'3333'3333);
  for (int i = 0; i < 4; i++) swap_bits<4>(w[i], w[i + 4], 0x0F0F'0F0F'0F0F'0F0F);
}

/// Octet i to octet 2 i.
inline Word spread(Word w) noexcept {
  w = (w | w << 16) & 0x0000'FFFF'0000'FFFF;
  return (w | w << 8) & 0x00FF'00FF'00FF'00FF;
}

inline Word gather(Word w) noexcept {
  w &= 0x00FF'00FF'00FF'00FF;
  w = (w | w >> 8) & 0x0000'FFFF'0000'FFFF;
  return (w | w >> 16) & 0xFFFF'FFFF;
}

inline Word load_column(const std::uint8_t* p) noexcept {
  std::uint32_t v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

inline void store_column(std::uint8_t* p, Word w) noexcept {
  const auto v = static_cast<std::uint32_t>(w);
  std::memcpy(p, &v, sizeof v);
}

// Word 4 h + k has columns h (even octets) and h + 2 (odd octets) of block k; transposed, that is the layout
// above.
AesPlanes to_planes(const std::uint8_t blocks[64]) noexcept {
  AesPlanes p;
  for (int i = 0; i < 8; i++) {
    const std::uint8_t* column = blocks + 16 * (i % 4) + 4 * (i / 4);
    p.bit[i] = spread(load_column(column)) | spread(load_column(column + 8)) << 8;
  }
  transpose(p.bit);
  return p;
}

void from_planes(std::uint8_t blocks[64], AesPlanes& p) noexcept {
  transpose(p.bit);
  for (int i = 0; i < 8; i++) {
    std::uint8_t* column = blocks + 16 * (i % 4) + 4 * (i / 4);
    store_column(column, gather(p.bit[i]));
    store_column(column + 8, gather(p.bit[i] >> 8));
  }
}

/// SubWord of the key expansion: the S-box on four octets.
void sub_word(std::uint8_t word[4]) noexcept {
  std::uint8_t blocks[64] = {};
  std::memcpy(blocks, word, 4);
  AesPlanes p = sub_bytes(to_planes(blocks));
  from_planes(blocks, p);
  std::memcpy(word, blocks, 4);
  base::wipe(blocks);
  base::wipe_object(p);
}

}  // namespace

// FIPS 197 section 5.2; i counts words, and a key of eight words has one more SubWord in the middle of each
// step.
void aes_expand_portable(std::uint8_t* round_keys, const std::uint8_t* key, int rounds) noexcept {
  const int key_words = rounds - 6;
  std::memcpy(round_keys, key, static_cast<std::size_t>(4 * key_words));
  unsigned round_constant = 1;
  std::uint8_t word[4];
  for (int i = key_words; i < 4 * (rounds + 1); i++) {
    std::uint8_t* out = round_keys + 4 * i;
    std::memcpy(word, out - 4, 4);
    if (i % key_words == 0) {
      const std::uint8_t rotated[4] = {word[1], word[2], word[3], word[0]};
      std::memcpy(word, rotated, 4);
      sub_word(word);
      word[0] = static_cast<std::uint8_t>(word[0] ^ round_constant);
      round_constant = round_constant << 1 ^ (round_constant >> 7) * 0x11BU;
    } else if (key_words == 8 && i % 8 == 4) {
      sub_word(word);
    }
    for (int j = 0; j < 4; j++) out[j] = static_cast<std::uint8_t>(out[j - 4 * key_words] ^ word[j]);
  }
  base::wipe(word);
}

void aes_load_keys_portable(AesPlaneKeys& keys, const std::uint8_t* round_keys, int rounds) noexcept {
  std::uint8_t blocks[64];
  for (int i = 0; i <= rounds; i++) {
    for (int k = 0; k < 4; k++) std::memcpy(blocks + 16 * k, round_keys + 16 * i, 16);
    keys.round[i] = to_planes(blocks);
  }
  keys.rounds = rounds;
  base::wipe(blocks);
}

void aes_encrypt4_portable(std::uint8_t blocks[64], const AesPlaneKeys& keys) noexcept {
  AesPlanes p = to_planes(blocks);
  add_key(p, keys.round[0]);
  for (int i = 1; i <= keys.rounds; i++) {
    p = sub_bytes(p);
    shift_rows(p);
    if (i != keys.rounds) mix_columns(p);
    add_key(p, keys.round[i]);
  }
  from_planes(blocks, p);
}

}  // namespace signet::crypto
