// X25519: the ladder for any point and the base point's table.
#include <signet/crypto/x25519.hpp>
#include <signet/tests/differential/kernel_rows.hpp>
#include <signet/tests/differential/openssl.hpp>
#include <signet/tests/differential/operations.hpp>
#include <signet/tests/differential/values.hpp>

namespace signet::differential {
namespace {

using crypto::c25519::Kernel;
using Key = std::span<const std::uint8_t, 32>;

/// The two of order 8, which are not among the edges, and with the highest bit, which does not count.
const std::vector<Number>& peers_of_order_8() {
  static const std::vector<Number> peers = [] {
    std::vector<Number> list = {
        test::number("00b8495f16056286fdb1329ceb8d09da6ac49ff1fae35616aeb8413b7c7aebe0"),
        test::number("57119fd0dd4e22d8868e1c58c45c44045bef839c55b1d0b1248c50a3bc959c5f")};
    for (std::size_t i = 0; i < 2; i++) {
      list.push_back(list[i]);
      list.back()[3] |= std::uint64_t{1} << 63;
    }
    return list;
  }();
  return peers;
}

/// Numbers in [p, 2^255) stand for 0 to 18, and their highest bit does not count.
Number not_canonical(Random& random) {
  bool carry = false;
  const Number p = test::number("7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed");
  Number n = test::wrapping_add(p, {random.below(19)}, carry);
  if (random.one_in(2)) n[3] |= std::uint64_t{1} << 63;
  return n;
}

Number peer_number(Random& random) {
  if (random.one_in(20)) return random.one_of(peers_of_order_8());
  return random.one_in(10) ? not_canonical(random) : random.any();
}

struct Inputs {
  Octets secret, peer;
};

Inputs inputs(std::size_t i, Random& random) {
  if (const auto pair = edge_pair(i)) return {little_endian(pair->first), little_endian(pair->second)};
  return {little_endian(random.any()), little_endian(peer_number(random))};
}

/// The shared secret, or nothing; a refused one must be zeros, or the answer is something else altogether.
Octets our_shared(const Inputs& in, const Kernel& kernel) {
  Octets out(32, 0xff);
  const bool usable = crypto::x25519(std::span<std::uint8_t, 32>(out), Key(in.secret.data(), 32),
                                     Key(in.peer.data(), 32), kernel);
  if (usable) return out;
  return out == Octets(32, 0) ? Octets{} : Octets{0xff};
}

void compare_shared(Report& report) {
  if (!report.wants("X25519 shared")) return;
  Random random(report.settings().seed, 1);
  const auto rows = kernel_rows(report, "X25519 shared", crypto::c25519::kernels());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Inputs in = inputs(i, random);
    const Octets theirs = openssl_x25519(in.secret, in.peer).value_or(Octets{});
    refused += theirs.empty();
    for (const auto& [kernel, row] : rows)
      row->compare(our_shared(in, *kernel), theirs, {in.secret, in.peer});
  }
  report.note("X25519 peers of small order refused", refused);
}

void compare_key_pair(Report& report) {
  if (!report.wants("X25519 key pair")) return;
  Random random(report.settings().seed, 2);
  const auto rows = kernel_rows(report, "X25519 key pair", crypto::c25519::kernels());
  const std::vector<Number>& edges = edge_numbers();
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Octets secret = little_endian(i < edges.size() ? edges[i] : random.any());
    const Octets theirs = openssl_x25519_public(secret);
    for (const auto& [kernel, row] : rows) {
      Octets ours(32);
      crypto::x25519_public_key(std::span<std::uint8_t, 32>(ours), Key(secret.data(), 32), *kernel);
      row->compare(ours, theirs, {secret});
    }
  }
}

}  // namespace

void compare_x25519(Report& report) {
  compare_shared(report);
  compare_key_pair(report);
}

}  // namespace signet::differential
