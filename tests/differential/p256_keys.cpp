// P-256: key pairs, points from octets, ECDH.
#include <signet/crypto/p256.hpp>
#include <signet/tests/differential/kernel_rows.hpp>
#include <signet/tests/differential/openssl.hpp>
#include <signet/tests/differential/operations.hpp>
#include <signet/tests/differential/values.hpp>

namespace signet::differential {
namespace {

using crypto::P256PrivateKey;
using crypto::P256PublicKey;
using crypto::p256::Kernel;

Octets written(const P256PublicKey& key) {
  Octets octets(crypto::p256_point_bytes);
  key.write(std::span<std::uint8_t, crypto::p256_point_bytes>(octets));
  return octets;
}

std::span<const std::uint8_t, 32> as_scalar(const Octets& octets) {
  return std::span<const std::uint8_t, 32>(octets.data(), 32);
}

/// The point; empty when the scalar is refused.
Octets our_point(const Octets& scalar, const Kernel& kernel) {
  const auto key = P256PrivateKey::from_scalar(as_scalar(scalar), kernel);
  return key ? written(key->public_key()) : Octets{};
}

bool is_in_range(const Number& n) { return n != Number{} && test::is_less(n, slow_p256().order.m); }

/// Scalars around multiples of the table's steps, where digits carry.
Number scalar_at_border(Random& random) {
  bool carry = false;
  const int width = random.one_in(2) ? crypto::p256::base_width : 5;
  const int at = width * static_cast<int>(random.below(static_cast<std::size_t>(255 / width)));
  const Number n = test::wrapping_add(power_of_two(at), {random.below(256)}, carry);
  return random.one_in(2) ? n : slow_p256().order.negate(slow_p256().order.reduce(n));
}

void compare_key_pair(Report& report) {
  if (!report.wants("P-256 key pair")) return;
  Random random(report.settings().seed, 3);
  const OpensslP256 group;
  const auto rows = kernel_rows(report, "P-256 key pair", crypto::p256::kernels());
  const std::vector<Number>& edges = edge_numbers();
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Number k = i < edges.size() ? edges[i] : random.one_in(4) ? scalar_at_border(random) : random.any();
    const Octets scalar = big_endian(k);
    const Octets theirs = is_in_range(k) ? group.mul_base(scalar) : Octets{};
    for (const auto& [kernel, row] : rows) row->compare(our_point(scalar, *kernel), theirs, {scalar});
  }
}

/// A point on the curve; for small x and for x just below p too.
Octets any_point(const OpensslP256& group, Random& random) {
  for (;;) {
    const Number x = slow_p256().field.reduce(random.any());
    const Octets point = group.with_x(big_endian(x), random.one_in(2));
    if (!point.empty()) return point;
  }
}

/// Octets that are a point, or nearly one.
Octets point_octets(const OpensslP256& group, std::size_t i, Random& random) {
  Octets octets(crypto::p256_point_bytes, 4);
  if (const auto pair = edge_pair(i)) {
    const Octets x = big_endian(pair->first), y = big_endian(pair->second);
    std::copy(x.begin(), x.end(), octets.begin() + 1);
    std::copy(y.begin(), y.end(), octets.begin() + 33);
    return octets;
  }
  octets = any_point(group, random);
  switch (random.below(8)) {
    case 0:  // off the curve
      octets[1 + random.below(64)] ^= static_cast<std::uint8_t>(1U << random.below(8));
      return octets;
    case 1:  // another form: compressed, hybrid, infinity, or none
      octets[0] = static_cast<std::uint8_t>(random.below(9));
      return octets;
    case 2:
      octets.resize(random.below(crypto::p256_point_bytes + 16));
      return octets;
    case 3: {  // a coordinate that is p or more
      const std::size_t at = random.one_in(2) ? 1 : 33;
      bool carry = false;
      const Number value = from_big_endian(base::Bytes(octets).subspan(at, 32));
      const Octets sum = big_endian(test::wrapping_add(value, slow_p256().field.m, carry));
      std::copy(sum.begin(), sum.end(), octets.begin() + static_cast<std::ptrdiff_t>(at));
      return octets;
    }
    default:
      return octets;
  }
}

// libcrypto reads compressed and hybrid points and the one at infinity as well, which TLS 1.3 forbids (RFC
// 8446 section 4.2.8.2): those we refuse.
void compare_points(Report& report) {
  if (!report.wants("P-256 point from octets")) return;
  Random random(report.settings().seed, 4);
  const OpensslP256 group;
  Row& row = report.row("P-256 point from octets", crypto::p256::kernels().front()->name);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Octets octets = point_octets(group, i, random);
    const bool is_uncompressed = octets.size() == crypto::p256_point_bytes && octets[0] == 4;
    const Octets theirs = is_uncompressed && group.parses(octets) ? octets : Octets{};
    const auto key = P256PublicKey::parse_vartime(octets);
    taken += !theirs.empty();
    row.compare(key ? written(*key) : Octets{}, theirs, {octets});
  }
  report.note("P-256 points taken", taken);
}

struct Exchange {
  Octets scalar, point;
};

/// Edge scalars on edge multiples of G among others.
Exchange exchange(const OpensslP256& group, std::size_t i, Random& random) {
  const test::Modular& order = slow_p256().order;
  Number k = random.one_in(4) ? order.reduce(scalar_at_border(random)) : random.scalar();
  Octets point;
  if (const auto pair = edge_pair(i)) {
    k = order.reduce(pair->first);
    const Number q = order.reduce(pair->second);
    if (q != Number{}) point = group.mul_base(big_endian(q));
  }
  if (k == Number{}) k = {1};
  if (point.empty()) point = any_point(group, random);
  return {big_endian(k), point};
}

void compare_ecdh(Report& report) {
  if (!report.wants("P-256 ECDH")) return;
  Random random(report.settings().seed, 5);
  const OpensslP256 group;
  const auto rows = kernel_rows(report, "P-256 ECDH", crypto::p256::kernels());
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const auto [scalar, point] = exchange(group, i, random);
    const Octets theirs = OpensslP256Key(group.mul_base(scalar), scalar).ecdh(OpensslP256Key(point));
    for (const auto& [kernel, row] : rows) {
      const auto key = P256PrivateKey::from_scalar(as_scalar(scalar), *kernel);
      const auto peer = P256PublicKey::parse_vartime(point);
      Octets ours(32);
      if (key && peer) crypto::p256_ecdh(std::span<std::uint8_t, 32>(ours), *key, *peer, *kernel);
      row->compare(ours, theirs, {scalar, point});
    }
  }
}

}  // namespace

void compare_p256_keys(Report& report) {
  compare_key_pair(report);
  compare_points(report);
  compare_ecdh(report);
}

}  // namespace signet::differential
