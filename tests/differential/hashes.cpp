// SHA-2 on every kernel, given in pieces; HMAC and HKDF on the hashes that run first.
#include <algorithm>

#include <signet/crypto/hkdf.hpp>
#include <signet/tests/differential/kernel_rows.hpp>
#include <signet/tests/differential/openssl.hpp>
#include <signet/tests/differential/operations.hpp>
#include <signet/tests/differential/values.hpp>

namespace signet::differential {
namespace {

using crypto::HashId;

struct Algorithm {
  HashId id;
  const char* name;
};
constexpr Algorithm algorithms[] = {
    {HashId::sha256, "SHA-256"}, {HashId::sha384, "SHA-384"}, {HashId::sha512, "SHA-512"}};

/// Every length over several blocks first, then neighbours of multiples of blocks, and longer ones.
std::size_t data_bytes(std::size_t i, Random& random) {
  constexpr std::size_t every_length_below = 1'100;
  if (i < every_length_below) return i;
  if (random.one_in(32)) return 4'000 + random.below(1'000);
  const std::size_t blocks = 64 * random.below(20);
  return random.one_in(2) ? blocks + random.below(20) : random.below(every_length_below);
}

/// Gives `data` in pieces: whole, octet by octet, or cut anywhere.
template <class State>
void update_in_pieces(State& state, base::Bytes data, Random& random) {
  const std::size_t most = random.one_in(3) ? data.size() : 1 + random.below(200);
  while (!data.empty()) {
    const std::size_t n = std::min(data.size(), random.one_in(8) ? 0 : most);
    state.update(data.first(n));
    data = data.subspan(n);
  }
}

Octets our_digest(HashId, const crypto::Sha256Kernel& kernel, const Octets& data, Random& random) {
  crypto::Sha256 state(kernel);
  update_in_pieces(state, data, random);
  Octets out(32);
  state.finish(std::span<std::uint8_t, 32>(out));
  return out;
}

Octets our_digest(HashId id, const crypto::Sha512Kernel& kernel, const Octets& data, Random& random) {
  crypto::Sha512 state =
      id == HashId::sha384 ? crypto::Sha512::sha384(kernel) : crypto::Sha512::sha512(kernel);
  update_in_pieces(state, data, random);
  Octets out(crypto::digest_bytes(id));
  state.finish(out);
  return out;
}

template <class Kernel>
void compare_hash(Report& report, const Algorithm& algorithm, std::span<const Kernel* const> kernels) {
  if (!report.wants(algorithm.name)) return;
  Random random(report.settings().seed, 40 + static_cast<std::uint64_t>(algorithm.id));
  const OpensslHash theirs(algorithm.name);
  const auto rows = kernel_rows(report, algorithm.name, kernels);
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Octets data = random.octets(data_bytes(i, random));
    const Octets expected = theirs.hash(data);
    for (const auto& [kernel, row] : rows)
      row->compare(our_digest(algorithm.id, *kernel, data, random), expected, {data});
  }
}

/// The kernel under HMAC and HKDF; others run when the processor's features are denied.
std::string_view first_kernel(HashId id) {
  return id == HashId::sha256 ? crypto::sha256_kernels().front()->name
                              : crypto::sha512_kernels().front()->name;
}

std::size_t key_bytes(Random& random) {
  constexpr std::size_t borders[] = {0, 20, 32, 48, 55, 64, 111, 128};
  return random.one_in(2) ? random.one_of(borders) + random.below(3) : random.below(300);
}

void compare_hmac(Report& report, const Algorithm& algorithm) {
  const std::string operation = std::string("HMAC ") + algorithm.name;
  if (!report.wants(operation)) return;
  Random random(report.settings().seed, 50 + static_cast<std::uint64_t>(algorithm.id));
  const OpensslHash theirs(algorithm.name);
  Row& row = report.row(operation, first_kernel(algorithm.id));
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Octets secret = random.octets(key_bytes(random)), data = random.octets(data_bytes(i, random));
    crypto::HmacKey key(algorithm.id, secret);
    crypto::Hmac mac(key);
    update_in_pieces(mac, data, random);
    Octets tag(crypto::digest_bytes(algorithm.id));
    mac.finish(tag);
    row.compare(tag, theirs.hmac(secret, data), {secret, data});
  }
}

void compare_extract(Report& report, const Algorithm& algorithm) {
  const std::string operation = std::string("HKDF-Extract ") + algorithm.name;
  if (!report.wants(operation)) return;
  Random random(report.settings().seed, 60 + static_cast<std::uint64_t>(algorithm.id));
  const OpensslHash theirs(algorithm.name);
  Row& row = report.row(operation, first_kernel(algorithm.id));
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Octets salt = random.octets(key_bytes(random)), ikm = random.octets(random.below(300));
    Octets prk(crypto::digest_bytes(algorithm.id));
    crypto::hkdf_extract(prk, algorithm.id, salt, ikm);
    row.compare(prk, theirs.hkdf_extract(salt, ikm), {salt, ikm});
  }
}

/// Mostly what TLS asks for; up to 255 digests, and a little more, which is refused.
std::size_t expanded_bytes(HashId id, Random& random) {
  const std::size_t most = 255 * crypto::digest_bytes(id);
  if (random.one_in(50)) return most - 2 + random.below(6);
  return 1 + (random.one_in(50) ? random.below(most) : random.below(300));
}

void compare_expand(Report& report, const Algorithm& algorithm) {
  const std::string operation = std::string("HKDF-Expand ") + algorithm.name;
  if (!report.wants(operation)) return;
  Random random(report.settings().seed, 70 + static_cast<std::uint64_t>(algorithm.id));
  const OpensslHash theirs(algorithm.name);
  Row& row = report.row(operation, first_kernel(algorithm.id));
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Octets prk =
        random.octets(random.one_in(2) ? crypto::digest_bytes(algorithm.id) : 1 + key_bytes(random));
    const Octets info = random.octets(random.below(random.one_in(8) ? 500 : 80));
    Octets out(expanded_bytes(algorithm.id, random));
    const bool done = crypto::hkdf_expand(out, crypto::HmacKey(algorithm.id, prk), info);
    const auto expected = theirs.hkdf_expand(prk, info, out.size());
    row.compare(done ? out : Octets{}, expected.value_or(Octets{}), {prk, info});
  }
}

}  // namespace

void compare_hashes(Report& report) {
  compare_hash(report, algorithms[0], crypto::sha256_kernels());
  compare_hash(report, algorithms[1], crypto::sha512_kernels());
  compare_hash(report, algorithms[2], crypto::sha512_kernels());
}

void compare_macs(Report& report) {
  for (const Algorithm& algorithm : algorithms) {
    compare_hmac(report, algorithm);
    compare_extract(report, algorithm);
    compare_expand(report, algorithm);
  }
}

}  // namespace signet::differential
