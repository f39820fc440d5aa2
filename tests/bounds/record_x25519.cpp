// X25519's formulas, one by one, and both public operations from their inputs to their answers.
#include <signet/crypto/kernels/x25519_multiply.hpp>
#include <signet/crypto/x25519.hpp>
#include <signet/tests/bounds/recording.hpp>

namespace signet::bounds {
namespace {

namespace c25519 = crypto::c25519;
using c25519::TableEntry;
using c25519::Words;

struct F {
  static constexpr std::string_view kernel_name = "x25519-recording";
  struct Element {
    std::uint64_t value;
  };

  static void mul(Element& r, const Element& a, const Element& b) noexcept { r = two("mul", a, b); }
  static void sqr(Element& r, const Element& a) noexcept { r = {record("sqr", a.value)}; }
  static void mul_121665(Element& r, const Element& a) noexcept { r = {record("mul_121665", a.value)}; }
  static void add(Element& r, const Element& a, const Element& b) noexcept { r = two("add", a, b); }
  static void add_loose(Element& r, const Element& a, const Element& b) noexcept {
    r = two("add_loose", a, b);
  }
  static void sub(Element& r, const Element& a, const Element& b) noexcept { r = two("sub", a, b); }
  static void choose(Element& r, crypto::ct::Mask, const Element& a, const Element& b) noexcept {
    r = two("choose", a, b);
  }
  /// Entries are words, which load() takes whatever they are.
  static void select(TableEntry& r, const TableEntry* row, int, std::uint64_t) noexcept { r = row[0]; }
  static void load(Element& r, const Words&) noexcept { r = {record("load")}; }
  static void store(Words& r, const Element& a) noexcept {
    record("store", a.value);
    r = {{2, 0, 0, 0}};
  }

 private:
  static Element two(const char* operation, const Element& a, const Element& b) {
    return {record(operation, a.value, b.value)};
  }
};

F::Element in(const char* name) { return {record_in(name)}; }
void out(const F::Element& a, const char* name) { record_out(a.value, name); }

template <class Body>
void formula(const char* name, Body body) {
  begin_formula(name);
  body();
  end_formula();
}

void ladder_out(const c25519::LadderState<F>& s) {
  out(s.x2, "ladder.x2");
  out(s.z2, "ladder.z2");
  out(s.x3, "ladder.x3");
  out(s.z3, "ladder.z3");
}

void edwards_out(const c25519::EdwardsPoint<F>& p) {
  out(p.x, "edwards.x");
  out(p.y, "edwards.y");
  out(p.z, "edwards.z");
  out(p.t, "edwards.t");
}

c25519::EdwardsTerm<F> term_in() { return {in("term.sum"), in("term.difference"), in("term.product")}; }

void record_ladder() {
  formula("x25519 ladder's start", [] {
    F::Element u, one, zero;
    F::load(u, {});
    F::load(one, {});
    F::load(zero, {});
    ladder_out({one, zero, u, one});
    out(u, "ladder.x1");
  });
  formula("x25519 ladder_step", [] {
    c25519::LadderState<F> s = {in("ladder.x2"), in("ladder.z2"), in("ladder.x3"), in("ladder.z3")};
    c25519::ladder_step<F>(s, in("ladder.x1"), crypto::ct::Mask::from_bit(0));
    ladder_out(s);
  });
  formula("x25519 divide, after the ladder", [] {
    Words r;
    c25519::divide<F>(r, in("ladder.x2"), in("ladder.z2"));
  });
}

void record_edwards() {
  formula("x25519 pick_term", [] {
    c25519::EdwardsTerm<F> term;
    c25519::pick_term<F>(term, c25519::base_table[0], 0);
    out(term.sum, "term.sum");
    out(term.difference, "term.difference");
    out(term.product, "term.product");
  });
  formula("x25519 start_at", [] {
    c25519::EdwardsPoint<F> p;
    c25519::start_at<F>(p, term_in());
    edwards_out(p);
  });
  formula("x25519 add_term", [] {
    c25519::EdwardsPoint<F> p = {in("edwards.x"), in("edwards.y"), in("edwards.z"), in("edwards.t")};
    c25519::add_term<F>(p, term_in());
    edwards_out(p);
  });
}

void record_operations() {
  static constinit const c25519::Kernel kernel = c25519::make_kernel<F>();
  const std::uint8_t octets[32] = {9};
  std::uint8_t result[32];
  formula("x25519 shared", [&] { static_cast<void>(crypto::x25519(result, octets, octets, kernel)); });
  formula("x25519 key pair", [&] { crypto::x25519_public_key(result, octets, kernel); });
  formula("x25519 field_mul", [&] {
    Words r;
    kernel.field_mul(r, {}, {});
  });
}

}  // namespace

void record_x25519() {
  record_ladder();
  record_edwards();
  record_operations();
}

}  // namespace signet::bounds
