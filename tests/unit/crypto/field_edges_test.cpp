// Every operation of the field kernels with operands at the ends of the ranges that their headers state: the
// results are right modulo p and within the stated ranges. tests/bounds shows that no formula leaves them.
#include <doctest/doctest.h>

#include <signet/crypto/cpu.hpp>
#include <signet/crypto/kernels/portable/field25519_portable.hpp>
#include <signet/crypto/kernels/portable/p256_field_portable.hpp>
#include <signet/crypto/kernels/x86_64/field25519_adx.hpp>
#include <signet/crypto/kernels/x86_64/p256_field_adx.hpp>
#include <signet/tests/support/slow_numbers.hpp>

using namespace signet;
using namespace signet::crypto;
using test::Modular;
using test::Number;

namespace {

constexpr std::uint64_t ones = ~std::uint64_t{0};
const Modular field25519{test::number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed")};
const Modular field_p256{test::number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")};

/// Elements of a kernel for 2^255 - 19 at the ends of its two sizes.
template <class F>
struct Sizes {
  std::vector<typename F::Element> tight, loose, two_tight;
};

// Limbs of 51 bits: each of the five at nothing or at its most.
using Limbs = c25519::FieldPortable;
constexpr std::uint64_t tight_limb = (std::uint64_t{1} << 51) + (1 << 15) - 1;
constexpr std::uint64_t loose_limb = (std::uint64_t{1} << 54) - 1;

std::vector<Limbs::Element> corners(std::uint64_t most) {
  std::vector<Limbs::Element> list;
  for (unsigned set = 0; set < 32; set++) {
    Limbs::Element e;
    for (unsigned i = 0; i < 5; i++) e.limb[i] = (set >> i & 1) != 0 ? most : 0;
    list.push_back(e);
  }
  return list;
}

Sizes<Limbs> sizes(const Limbs&) {
  return {corners(tight_limb), corners(loose_limb), corners(2 * tight_limb)};
}

bool is_within(const Limbs::Element& e, std::uint64_t most) {
  for (const std::uint64_t limb : e.limb) {
    if (limb > most) return false;
  }
  return true;
}
bool is_tight(const Limbs::Element& e) { return is_within(e, tight_limb); }
bool is_loose(const Limbs::Element& e) { return is_within(e, loose_limb); }

Number value(const Limbs::Element& e) {
  const Number step = {std::uint64_t{1} << 51};
  Number sum{};
  for (std::size_t i = 5; i-- > 0;) sum = field25519.add(field25519.mul(sum, step), {e.limb[i]});
  return sum;
}

std::vector<Number> word_corners() {
  std::vector<Number> list;
  for (unsigned set = 0; set < 16; set++) {
    Number n;
    for (unsigned i = 0; i < 4; i++) n[i] = (set >> i & 1) != 0 ? ones : 0;
    list.push_back(n);
  }
  bool carry = false;
  for (const Modular& field : {field25519, field_p256}) {
    for (const std::uint64_t i : {0U, 1U, 2U, 18U, 19U, 20U}) {
      list.push_back(test::wrapping_add(field.m, {i}, carry));
      list.push_back(test::wrapping_sub(field.m, {i}));
    }
  }
  for (const std::uint64_t i : {37U, 38U, 39U, 75U, 76U, 77U}) list.push_back(test::wrapping_sub({}, {i}));
  return list;
}

#if defined(__x86_64__)
using Adx = c25519::FieldAdx;

Adx::Element adx_element(const Number& n) { return {{n[0], n[1], n[2], n[3]}}; }
Number number_of(const Adx::Element& e) { return {e.w[0], e.w[1], e.w[2], e.w[3]}; }
bool is_at_most(const Number& a, const Number& most) { return !test::is_less(most, a); }
const Number tight_most = {0xffffffff, 0, 0, std::uint64_t{1} << 63};

Sizes<Adx> sizes(const Adx&) {
  Sizes<Adx> s;
  for (const Number& n : word_corners()) {
    s.loose.push_back(adx_element(n));
    if (is_at_most(n, tight_most)) s.tight.push_back(adx_element(n));
  }
  s.tight.push_back(adx_element(tight_most));
  s.loose.push_back(adx_element(tight_most));
  return s;
}
bool is_tight(const Adx::Element& e) { return is_at_most(number_of(e), tight_most); }
bool is_loose(const Adx::Element&) { return true; }  // every four words are
Number value(const Adx::Element& e) { return field25519.reduce(number_of(e)); }

bool has_adx() {
  using cpu::Feature;
  return cpu::available(Feature::adx) && cpu::available(Feature::bmi2) && cpu::available(Feature::avx2);
}
#endif

/// All of `list` in pairs with all of `others`.
template <class List, class Check>
void for_pairs(const List& list, const List& others, Check check) {
  for (const auto& a : list) {
    for (const auto& b : others) check(a, b);
  }
}

/// The result apart from its operands and in place of each, which must be the same to the octet.
template <class Element, class Operation>
Element in_every_place(Operation operation, const Element& a, const Element& b) {
  Element apart, first = a, second = b;
  operation(apart, a, b);
  operation(first, first, b);
  operation(second, a, second);
  CHECK(std::memcmp(&apart, &first, sizeof apart) == 0);
  CHECK(std::memcmp(&apart, &second, sizeof apart) == 0);
  return apart;
}

template <class F>
void check_products(const Sizes<F>& s) {
  using Element = typename F::Element;
  for_pairs(s.loose, s.loose, [](const Element& a, const Element& b) {
    const Element r = in_every_place(F::mul, a, b);
    CHECK(is_tight(r));
    CHECK(value(r) == field25519.mul(value(a), value(b)));
  });
  for (const Element& a : s.loose) {
    Element square, multiple;
    F::sqr(square, a);
    F::mul_121665(multiple, a);
    CHECK(is_tight(square));
    CHECK(is_tight(multiple));
    CHECK(value(square) == field25519.mul(value(a), value(a)));
    CHECK(value(multiple) == field25519.mul(value(a), {121665}));
  }
}

template <class Element, class Operation>
void check_sum(Operation operation, const Element& a, const Element& b, bool negative) {
  const Element r = in_every_place(operation, a, b);
  CHECK(is_loose(r));
  CHECK(value(r) == (negative ? field25519.sub(value(a), value(b)) : field25519.add(value(a), value(b))));
}

template <class F>
void check_words(const Sizes<F>& s, const std::vector<Number>& numbers) {
  for (const Number& n : numbers) {
    typename F::Element loaded;
    c25519::Words stored;
    F::load(loaded, {{n[0], n[1], n[2], n[3]}});
    CHECK(is_tight(loaded));
    CHECK(value(loaded) == field25519.reduce(n));
    F::store(stored, loaded);
    CHECK(Number{stored.w[0], stored.w[1], stored.w[2], stored.w[3]} == field25519.reduce(n));
  }
  for (const auto& a : s.loose) {
    c25519::Words stored;
    F::store(stored, a);
    CHECK(Number{stored.w[0], stored.w[1], stored.w[2], stored.w[3]} == value(a));
  }
}

p256::Fe fe(const Number& n) { return {{n[0], n[1], n[2], n[3]}}; }
Number plain(const p256::Fe& a) { return {a.w[0], a.w[1], a.w[2], a.w[3]}; }

template <class F>
void check_p256_pair(const p256::Fe& a, const p256::Fe& b) {
  const Number sum = field_p256.add(plain(a), plain(b));
  CHECK(plain(in_every_place(F::add, a, b)) == sum);
  CHECK(field_p256.reduce(plain(in_every_place(F::add_weak, a, b))) == sum);
  CHECK(plain(in_every_place(F::sub, a, b)) == field_p256.sub(plain(a), plain(b)));
}

template <class F>
void check_p256_field() {
  const Number r_inverse =
      field_p256.inverse(test::wrapping_sub({}, field_p256.m));  // 2^256 - p is 2^256 mod p
  std::vector<p256::Fe> below, any;
  for (const Number& n : word_corners()) {
    any.push_back(fe(n));
    if (test::is_less(n, field_p256.m)) below.push_back(fe(n));
  }
  for_pairs(below, below, check_p256_pair<F>);
  for_pairs(any, below, [&](const p256::Fe& a, const p256::Fe& b) {
    const Number product = field_p256.mul(field_p256.reduce(plain(a)), plain(b));
    CHECK(plain(in_every_place(F::mul, a, b)) == field_p256.mul(product, r_inverse));
  });
  for (const p256::Fe& a : below) {
    p256::Fe square, product, half, three_halves;
    F::sqr(square, a);
    F::mul(product, a, a);
    F::half(half, a);
    F::three_halves(three_halves, a);
    CHECK(plain(square) == plain(product));
    CHECK(plain(half) == field_p256.half(plain(a)));
    CHECK(plain(three_halves) == field_p256.add(plain(half), plain(a)));
  }
}

}  // namespace

TEST_CASE("field edges: 2^255 - 19 on limbs of 51 bits") {
  const auto s = sizes(Limbs());
  check_products<Limbs>(s);
  for_pairs(s.two_tight, s.tight, [](const Limbs::Element& a, const Limbs::Element& b) {
    check_sum(Limbs::add, a, b, false);
    check_sum(Limbs::add_loose, a, b, false);
    check_sum(Limbs::sub, a, b, true);
  });
  check_words<Limbs>(s, word_corners());
}

#if defined(__x86_64__)
TEST_CASE("field edges: 2^255 - 19 on four words") {
  if (!has_adx()) return;
  const auto s = sizes(Adx());
  check_products<Adx>(s);
  for_pairs(s.tight, s.tight,
            [](const Adx::Element& a, const Adx::Element& b) { check_sum(Adx::add, a, b, false); });
  for_pairs(s.loose, s.tight,
            [](const Adx::Element& a, const Adx::Element& b) { check_sum(Adx::sub, a, b, true); });
  for_pairs(s.loose, s.loose,
            [](const Adx::Element& a, const Adx::Element& b) { check_sum(Adx::add_loose, a, b, false); });
  check_words<Adx>(s, word_corners());
}
#endif

TEST_CASE("field edges: the field of P-256") {
  check_p256_field<p256::FieldPortable>();
#if defined(__x86_64__)
  if (has_adx()) check_p256_field<p256::FieldAdx>();
#endif
}

TEST_CASE("p256 constants, re-derived") {
  const test::SlowP256 curve;
  const Number r = test::wrapping_sub({}, curve.field.m);  // 2^256 mod p
  CHECK(plain(p256::field_prime) == curve.field.m);
  CHECK(plain(p256::one) == r);
  CHECK(plain(p256::montgomery_r_squared) == curve.field.mul(r, r));
  const auto& n = p256::group_order.w;
  CHECK(Number{n[0], n[1], n[2], n[3]} == curve.order.m);
  const auto& d = p256::prime_minus_order;
  CHECK(Number{d[0], d[1], d[2], d[3]} == test::wrapping_sub(curve.field.m, curve.order.m));
}
