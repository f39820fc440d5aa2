// Every kernel against the portable one, in every way that the overlap contract allows, at every length that
// has its own path; and the proof that the check catches a kernel that stores ahead of what it has loaded.
#include <algorithm>

#include <doctest/doctest.h>

#include <signet/crypto/kernels/aead_kernels.hpp>
#include <signet/tests/support/aead_ways.hpp>

using namespace signet;
using namespace signet::crypto;
using test::AeadCase;
using test::Octets;

namespace {

constexpr std::size_t longer_lengths[] = {511,  512,  513,  767,  768,  769,  943,  959,   960,
                                          961,  976,  1087, 1350, 1983, 1984, 1985, 2047,  2049,
                                          3007, 3009, 4032, 4033, 4096, 5056, 5057, 16384, 16401};
constexpr std::size_t tail_lengths[] = {0, 1, 16};
constexpr AeadId all_ids[] = {AeadId::aes_128_gcm, AeadId::aes_256_gcm, AeadId::chacha20_poly1305};

std::uint8_t noise(std::size_t i) { return static_cast<std::uint8_t>((i * 2654435761U + 12345U) >> 13); }

Octets noise_octets(std::size_t n, std::size_t seed) {
  Octets octets(n);
  for (std::size_t i = 0; i < n; i++) octets[i] = noise(i + 977 * seed);
  return octets;
}

/// A message of `n` octets; ciphertext and tag by the portable kernel, disjoint and without a tail.
AeadCase make_case(AeadId id, std::size_t n) {
  AeadCase c{noise_octets(aead_key_bytes(id), n),
             noise_octets(12, n + 1),
             noise_octets(5, n + 2),
             noise_octets(n, n + 3),
             Octets(n),
             Octets(16)};
  AeadKey key;
  key.init(id, c.key, *aead_kernels(id).back());
  key.seal(c.ciphertext.data(), c.tag.data(), c.nonce_span(), c.aad, c.plaintext, {});
  return c;
}

std::vector<std::size_t> all_lengths() {
  std::vector<std::size_t> lengths;
  for (std::size_t n = 0; n <= 300; n++) lengths.push_back(n);
  for (const std::size_t n : longer_lengths) lengths.push_back(n);
  return lengths;
}

/// How often a kernel was right, of how many times it was asked.
struct Tally {
  std::size_t right = 0;
  std::size_t asked = 0;

  void note(bool ok) {
    asked++;
    right += ok ? 1 : 0;
  }
};

/// One kernel, one way, every length, both directions, tails of 0, 1 and 16 octets.
Tally run_all(const AeadKernel& kernel, AeadId id, const test::AeadWay& way,
              const std::vector<AeadCase>& cases) {
  Tally tally;
  for (const AeadCase& c : cases) {
    AeadKey key;
    key.init(id, c.key, kernel);
    for (const std::size_t tail : tail_lengths) {
      if (tail <= c.plaintext.size()) tally.note(test::seals_in_way(key, c, tail, way));
    }
    tally.note(test::opens_in_way(key, c, true, way));
  }
  return tally;
}

// A kernel that is right but for one thing: it stores 16 octets ahead of those it has loaded. It takes the
// text to a buffer, block by block, and writes the next block of dst, whatever that overwrites; then it seals
// or opens the buffer.

const AeadKernel* altered_from = nullptr;

Octets take_storing_ahead(std::uint8_t* dst, base::Bytes src) {
  Octets taken;
  for (std::size_t at = 0; at < src.size(); at += 16) {
    const std::size_t end = std::min(at + 16, src.size());
    taken.insert(taken.end(), src.begin() + static_cast<std::ptrdiff_t>(at),
                 src.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = end; i < std::min(end + 16, src.size()); i++) dst[i] = 0xEE;
  }
  return taken;
}

void altered_seal(const std::uint8_t* expanded, const SealJob& job) noexcept {
  const Octets taken = take_storing_ahead(job.dst, job.src);
  SealJob copy = job;
  copy.src = taken;
  altered_from->seal(expanded, copy);
}

bool altered_open(const std::uint8_t* expanded, const OpenJob& job) noexcept {
  const Octets taken = take_storing_ahead(job.dst, job.src);
  OpenJob copy = job;
  copy.src = taken;
  return altered_from->open(expanded, copy);
}

AeadKernel altered(const AeadKernel& kernel) {
  altered_from = &kernel;
  return {"altered", kernel.expand, altered_seal, altered_open, kernel.encrypt_block};
}

}  // namespace

TEST_CASE("aead ways: every kernel, way, length, direction and tail gives the portable kernel's octets") {
  std::size_t asked = 0;
  std::size_t expected = 0;
  for (const AeadId id : all_ids) {
    std::vector<AeadCase> cases;
    std::size_t runs_of_a_way = 0;
    for (const std::size_t n : all_lengths()) {
      cases.push_back(make_case(id, n));
      runs_of_a_way += n >= 16 ? 4 : n >= 1 ? 3 : 2;
    }
    for (const AeadKernel* kernel : aead_kernels(id)) {
      for (const test::AeadWay& way : test::aead_ways) {
        CAPTURE(kernel->name);
        CAPTURE(way.name);
        const Tally tally = run_all(*kernel, id, way, cases);
        CHECK(tally.right == tally.asked);
        asked += tally.asked;
        expected += runs_of_a_way;
      }
    }
  }
  CHECK(asked == expected);
  MESSAGE(asked, " runs");
}

TEST_CASE("aead ways: a kernel that stores 16 octets ahead fails in place and moved down by less") {
  for (const AeadId id : all_ids) {
    const std::vector<AeadCase> cases = {make_case(id, 100), make_case(id, 1350)};
    const AeadKernel kernel = altered(*aead_kernels(id).front());
    for (const test::AeadWay& way : test::aead_ways) {
      CAPTURE(way.name);
      const Tally tally = run_all(kernel, id, way, cases);
      if (way.disjoint || way.down >= 16) {
        CHECK(tally.right == tally.asked);
      } else {
        CHECK(tally.right == 0);
      }
    }
  }
}

TEST_CASE("aead ways: a kernel that stores behind its text is seen by the guards") {
  const AeadId id = AeadId::aes_128_gcm;
  altered_from = aead_kernels(id).front();
  AeadKernel kernel = *altered_from;
  kernel.open = [](const std::uint8_t* expanded, const OpenJob& job) noexcept {
    const bool genuine = altered_from->open(expanded, job);
    job.dst[job.src.size()] ^= 1;
    return genuine;
  };
  for (const test::AeadWay& way : test::aead_ways) {
    CHECK(run_all(kernel, id, way, {make_case(id, 47)}).right == 3);
  }
}
