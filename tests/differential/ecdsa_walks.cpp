// Signatures made for their sums: from any u, v and Q with R = u * G + v * Q come r = R.x mod n, s = r / v
// and the digest u * s, for which verification has to compute just that sum.
#include <signet/tests/differential/operations.hpp>
#include <signet/tests/differential/verifiers.hpp>
#include <signet/tests/differential/walk.hpp>

namespace signet::differential {
namespace {

constexpr std::size_t signatures_a_key = 8;

const test::Modular& order() { return slow_p256().order; }

/// The signature whose sum is `sum` for scalars u and v; any r where the sum is at infinity.
SignatureCase signature_of(const Number& u, const Number& v, const Octets& sum, Random& random) {
  const Number r =
      sum.empty() ? random.scalar() : order().reduce(from_big_endian(base::Bytes(sum).subspan(1, 32)));
  const Number s = order().mul(r, order().inverse(v));
  return {big_endian(order().mul(u, s)), big_endian(r), big_endian(s)};
}

/// Every fourth signature is made wrong a little.
void alter_some(SignatureCase& c, std::size_t i, Random& random) {
  if (i % 4 != 3) return;
  Octets& part = random.one_in(3) ? c.digest : random.one_in(2) ? c.r : c.s;
  part[random.below(32)] ^= static_cast<std::uint8_t>(1U << random.below(8));
}

struct Counts {
  std::size_t accepted = 0, infinite = 0;
  Meetings plain, table;

  void add(Meetings& to, const Meetings& more) const {
    to.equal += more.equal;
    to.opposite += more.opposite;
  }
};

/// A key whose walks are looked at.
class WalkedKey {
 public:
  WalkedKey(const OpensslP256& group, const Number& q, VerifyRows& rows)
      : group_(group), point_(group.mul_base(big_endian(q))), verifiers_(point_, rows) {
    affine_ = crypto::P256PublicKey::parse_vartime(point_).value().point;
    crypto::p256::kernels().back()->build_table_vartime(table_, affine_);
  }

  void compare(const Number& u, const Number& v, std::size_t i, Counts& counts, Random& random) {
    const Octets sum = group_.mul_add(big_endian(u), big_endian(v), point_);
    SignatureCase c = signature_of(u, v, sum, random);
    alter_some(c, i, random);
    counts.accepted += verifiers_.compare(c);
    counts.infinite += sum.empty();
    counts.add(counts.plain, meetings(affine_, u, v));
    counts.add(counts.table, table_meetings(table_, u, v));
  }

 private:
  const OpensslP256& group_;
  Octets point_;
  Verifiers verifiers_;
  crypto::p256::Affine affine_;
  crypto::p256::OddMultiples table_;
};

void compare_meetings(Report& report) {
  const std::string name = "P-256 verify, points meet";
  if (!report.wants(name)) return;
  Random random(report.settings().seed, 8);
  const OpensslP256 group;
  VerifyRows rows(report, name);
  Counts counts;
  for (std::size_t i = 0; i < report.settings().cases;) {
    const std::size_t kind = i / signatures_a_key % 3;
    Walk walk{simple_multiple(random), {}, {}};
    if (kind != 0) walk = meeting_walk(kind == 2, random);
    WalkedKey key(group, walk.q, rows);
    for (std::size_t j = 0; j < signatures_a_key; j++, i++) {
      if (kind == 0) choose_simple(walk, random);
      if (kind != 0 && j != 0) vary_after_meeting(walk, random);
      key.compare(walk.u, walk.v, i, counts, random);
    }
  }
  report.note("meeting walks accepted", counts.accepted);
  report.note("sums at infinity", counts.infinite);
  report.note("equal points met", counts.plain.equal);
  report.note("opposite points met", counts.plain.opposite);
  report.note("equal points met with a table", counts.table.equal);
  report.note("opposite points met with a table", counts.table.opposite);
}

void compare_borders(Report& report) {
  const std::string name = "P-256 verify, runs' borders";
  if (!report.wants(name)) return;
  Random random(report.settings().seed, 9);
  const OpensslP256 group;
  VerifyRows rows(report, name);
  Counts counts;
  for (std::size_t i = 0; i < report.settings().cases;) {
    WalkedKey key(group, random.scalar(), rows);
    for (std::size_t j = 0; j < signatures_a_key; j++, i++) {
      const Number u = random.one_in(8) ? random.scalar() : scalar_at_borders(random);
      Number v = random.one_in(8) ? random.scalar() : scalar_at_borders(random);
      if (v == Number{}) v = {1};
      key.compare(u, v, i, counts, random);
    }
  }
  report.note("walks at the runs' borders accepted", counts.accepted);
}

/// A point whose x is in [n, p), or (`wraps` false) below p - n, where r + n is looked at too.
Octets point_at_wrap(const OpensslP256& group, bool wraps, Random& random) {
  const Number range = test::wrapping_sub(slow_p256().field.m, order().m);
  for (;;) {
    Number x = random.uniform();
    x[3] = x[2] = 0;
    if (random.one_in(2)) x = {random.below(1000)};
    if (random.one_in(4)) x = test::wrapping_sub(range, {1 + random.below(1000)});
    if (!test::is_less(x, range)) continue;
    bool carry = false;
    if (wraps) x = test::wrapping_add(x, order().m, carry);
    const Octets point = group.with_x(big_endian(x), random.one_in(2));
    if (!point.empty()) return point;
  }
}

/// The right signature and others that a wrong wrap would accept: an r of n and more, n too little or too
/// much.
SignatureCase varied_at_wrap(const SignatureCase& good, const Octets& x, std::size_t j, Random& random) {
  SignatureCase c = good;
  bool carry = false;
  const Number r = from_big_endian(c.r);
  switch (j) {
    case 0:
    case 1:
      return c;
    case 2:
      c.s = big_endian(order().negate(from_big_endian(c.s)));
      return c;
    case 3:
      c.r = x;
      return c;
    case 4:
      c.r = big_endian(test::wrapping_add(r, order().m, carry));
      return c;
    case 5:
      c.r = big_endian(test::wrapping_add(r, {1}, carry));
      return c;
    case 6:
      c.digest = big_endian(
          test::wrapping_add(from_big_endian(c.digest), order().m, carry));  // the same, or over 2^256
      return c;
    default:
      alter_some(c, 3, random);
      return c;
  }
}

void compare_wraps(Report& report) {
  const std::string name = "P-256 verify, x from n on";
  if (!report.wants(name)) return;
  Random random(report.settings().seed, 10);
  const OpensslP256 group;
  VerifyRows rows(report, name);
  std::size_t wrapped = 0;
  for (std::size_t i = 0; i < report.settings().cases;) {
    const bool wraps = i / signatures_a_key % 4 != 3;
    const Octets sum = point_at_wrap(group, wraps, random);
    const Octets x(sum.begin() + 1, sum.begin() + 33);
    const Number u = random.scalar(), v = random.scalar(), inverse = order().inverse(v);
    const Octets point =
        group.mul_add(big_endian(order().mul(order().negate(u), inverse)), big_endian(inverse), sum);
    if (point.empty()) continue;
    const Verifiers verifiers(point, rows);
    SignatureCase good = signature_of(u, v, sum, random);
    if (good.r == Octets(32)) continue;  // x is n
    for (std::size_t j = 0; j < signatures_a_key; j++, i++)
      wrapped += verifiers.compare(varied_at_wrap(good, x, j, random)) && wraps;
  }
  report.note("signatures accepted whose x is n or more", wrapped);
}

}  // namespace

void compare_ecdsa_walks(Report& report) {
  compare_meetings(report);
  compare_borders(report);
  compare_wraps(report);
}

}  // namespace signet::differential
