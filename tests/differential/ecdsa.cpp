// ECDSA on P-256: our signatures checked by libcrypto, and right, altered and random signatures by both.
#include <signet/tests/differential/operations.hpp>
#include <signet/tests/differential/values.hpp>
#include <signet/tests/differential/verifiers.hpp>

namespace signet::differential {
namespace {

using crypto::P256PrivateKey;
using crypto::p256::Kernel;

constexpr std::size_t signatures_a_key = 8;

/// Of any length; those of 32 octets are numbers around 0 and n among others.
Octets any_digest(Random& random) {
  constexpr std::size_t lengths[] = {0, 1, 20, 31, 33, 48, 64, 200};
  return random.one_in(3) ? random.octets(random.one_of(lengths)) : big_endian(random.any());
}

P256PrivateKey key_of(const Octets& scalar, const Kernel& kernel) {
  return P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(scalar.data(), 32), kernel).value();
}

SignatureCase our_signature(const P256PrivateKey& key, const Octets& digest, const Octets& fresh,
                            const Kernel& kernel) {
  crypto::EcdsaSignature made;
  crypto::p256_sign(made, key, digest, fresh, kernel);
  return {digest, Octets(made.r, made.r + 32), Octets(made.s, made.s + 32)};
}

/// The same signature, or something that must be looked at: a bit changed, the other s, edges or random
/// octets.
SignatureCase varied(const SignatureCase& good, std::size_t i, Random& random) {
  SignatureCase c = good;
  switch (i % signatures_a_key) {
    case 0:
    case 1:
      return c;
    case 2: {
      Octets& part = random.one_in(2) || c.digest.empty() ? (random.one_in(2) ? c.r : c.s) : c.digest;
      part[random.below(part.size())] ^= static_cast<std::uint8_t>(1U << random.below(8));
      return c;
    }
    case 3:
      c.s = big_endian(slow_p256().order.negate(from_big_endian(c.s)));
      return c;
    case 4:
      (random.one_in(2) ? c.r : c.s) = big_endian(random.one_of(edge_numbers()));
      return c;
    case 5:
      c.r = big_endian(random.one_of(edge_numbers()));
      c.s = big_endian(random.one_of(edge_numbers()));
      return c;
    case 6:
      c.r = big_endian(random.any());
      c.s = big_endian(random.any());
      return c;
    default:
      std::swap(c.r, c.s);
      return c;
  }
}

}  // namespace

void compare_ecdsa_sign(Report& report) {
  if (!report.wants("P-256 sign")) return;
  Random random(report.settings().seed, 6);
  const OpensslP256 group;
  const auto rows = kernel_rows(report, "P-256 sign", crypto::p256::kernels());
  std::optional<OpensslP256Key> checker;
  Octets scalar;
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    if (i % signatures_a_key == 0) {
      scalar = big_endian(random.scalar());
      checker.emplace(group.mul_base(scalar));
    }
    const Octets digest = any_digest(random), fresh = random.octets(random.one_in(4) ? 0 : random.below(64));
    for (const auto& [kernel, row] : rows) {
      const SignatureCase made = our_signature(key_of(scalar, *kernel), digest, fresh, *kernel);
      row->compare(true, checker->verify(digest, made.r, made.s), {scalar, digest, fresh, made.r, made.s});
    }
  }
}

void compare_ecdsa_verify(Report& report) {
  if (!report.wants("P-256 verify")) return;
  Random random(report.settings().seed, 7);
  const OpensslP256 group;
  VerifyRows rows(report, "P-256 verify");
  const Kernel& signing = *crypto::p256::kernels().back();
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < report.settings().cases;) {
    const Octets scalar = big_endian(random.scalar());
    const Verifiers verifiers(group.mul_base(scalar), rows);
    for (std::size_t j = 0; j < signatures_a_key; j++, i++) {
      const SignatureCase good = our_signature(key_of(scalar, signing), any_digest(random), {}, signing);
      accepted += verifiers.compare(varied(good, j, random));
    }
  }
  report.note("P-256 signatures accepted", accepted);
}

}  // namespace signet::differential
