// The AEADs: lengths around the blocks and batches of every kernel.
#include <algorithm>

#include <signet/crypto/aead.hpp>
#include <signet/tests/differential/openssl.hpp>
#include <signet/tests/differential/operations.hpp>
#include <signet/tests/differential/values.hpp>

namespace signet::differential {
namespace {

using crypto::AeadId;
using crypto::AeadKernel;

struct Aead {
  AeadId id;
  const char* name;
};
constexpr Aead aeads[] = {{AeadId::aes_128_gcm, "AES-128-GCM"},
                          {AeadId::aes_256_gcm, "AES-256-GCM"},
                          {AeadId::chacha20_poly1305, "ChaCha20-Poly1305"}};

constexpr std::size_t every_length_below = 1'100;

struct Message {
  Octets key, nonce, aad, text;
  std::size_t tail_bytes;  // the last of the text, given apart
};

/// Every length up to 1,100 first; then the neighbours of multiples of blocks, of batches and of a record.
std::size_t text_bytes(std::size_t i, Random& random) {
  constexpr std::size_t borders[] = {128,  256,  448,  512,  768,  960,  1024, 1152,
                                     1350, 1536, 1984, 2048, 2112, 3072, 4096};
  if (i < every_length_below) return i;
  if (random.one_in(64)) return 16'384 - 40 + random.below(80);
  if (random.one_in(2)) return random.one_of(borders) - 40 + random.below(80);
  return random.below(every_length_below);
}

std::size_t aad_bytes(Random& random) {
  constexpr std::size_t borders[] = {5, 12, 13, 16, 64, 128, 256, 512, 1024};
  return random.one_in(2) ? random.below(80)
                          : random.one_of(borders) + random.below(17) - (random.one_in(2) ? 5 : 0);
}

Octets nonce_octets(Random& random) {
  constexpr std::size_t n = crypto::aead_nonce_bytes;
  return random.one_in(16) ? Octets(n, random.one_in(2) ? 0 : 0xff) : random.octets(n);
}

Octets key_octets(AeadId id, Random& random) {
  const std::size_t n = crypto::aead_key_bytes(id);
  return random.one_in(32) ? Octets(n, random.one_in(2) ? 0 : 0xff) : random.octets(n);
}

Message message(AeadId id, std::size_t i, Random& random) {
  Message m{key_octets(id, random), nonce_octets(random), random.octets(aad_bytes(random)),
            random.octets(text_bytes(i, random)), 0};
  if (random.one_in(2)) m.tail_bytes = std::min<std::size_t>(random.below(17), m.text.size());
  if (random.one_in(32)) std::fill(m.text.begin(), m.text.end(), std::uint8_t{0xff});
  return m;
}

std::span<const std::uint8_t, crypto::aead_nonce_bytes> nonce_of(const Octets& nonce) {
  return std::span<const std::uint8_t, crypto::aead_nonce_bytes>(nonce.data(), crypto::aead_nonce_bytes);
}

/// From an allocation of the text's size to another one, or in place.
Octets our_sealed(const Message& m, AeadId id, const AeadKernel& kernel, bool in_place) {
  crypto::AeadKey key;
  key.init(id, m.key, kernel);
  const std::size_t src_bytes = m.text.size() - m.tail_bytes;
  Octets out(m.text.size() + crypto::aead_tag_bytes);
  const Octets apart(m.text.begin(), m.text.begin() + static_cast<std::ptrdiff_t>(src_bytes));
  if (in_place) std::copy(apart.begin(), apart.end(), out.begin());
  const base::Bytes src(in_place ? out.data() : apart.data(), src_bytes);
  key.seal(out.data(), out.data() + m.text.size(), nonce_of(m.nonce), m.aad, src,
           base::Bytes(m.text).subspan(src_bytes));
  key.wipe();
  return out;
}

/// The text behind a 1; a 0 and zeros when it is refused.
Octets our_opened(const Message& m, const Octets& sealed, AeadId id, const AeadKernel& kernel,
                  bool in_place) {
  crypto::AeadKey key;
  key.init(id, m.key, kernel);
  const std::size_t bytes = sealed.size() - crypto::aead_tag_bytes;
  Octets arena(sealed), apart(bytes);
  std::uint8_t* dst = in_place ? arena.data() : apart.data();
  const bool genuine = key.open(dst, nonce_of(m.nonce), m.aad, {arena.data(), bytes}, arena.data() + bytes);
  key.wipe();
  Octets answer(1 + bytes);
  answer[0] = genuine;
  std::copy_n(dst, bytes, answer.begin() + 1);
  return answer;
}

Octets opened_answer(const std::optional<Octets>& text, std::size_t bytes) {
  Octets answer(1 + bytes);
  answer[0] = text.has_value();
  if (text) std::copy(text->begin(), text->end(), answer.begin() + 1);
  return answer;
}

/// One bit of tag, text, additional data or nonce.
void alter(Message& m, Octets& sealed, Random& random) {
  const auto flip = [&random](Octets& octets, std::size_t from) {
    octets[from + random.below(octets.size() - from)] ^= static_cast<std::uint8_t>(1U << random.below(8));
  };
  switch (random.below(4)) {
    case 0:
      return flip(sealed, sealed.size() - crypto::aead_tag_bytes);
    case 1:
      return flip(m.nonce, 0);
    case 2:
      if (!m.aad.empty()) return flip(m.aad, 0);
      [[fallthrough]];
    default:
      return flip(sealed, 0);
  }
}

struct AeadRow {
  const AeadKernel* kernel;
  Row* row;
};

std::vector<AeadRow> aead_rows(Report& report, const std::string& operation, AeadId id) {
  std::vector<AeadRow> rows;
  for (const AeadKernel* kernel : crypto::aead_kernels(id))
    rows.push_back({kernel, &report.row(operation, crypto::aead_kernel_name(*kernel))});
  return rows;
}

void compare_seal(Report& report, const Aead& aead) {
  const std::string operation = std::string(aead.name) + " seal";
  if (!report.wants(operation)) return;
  Random random(report.settings().seed, 20 + static_cast<std::uint64_t>(aead.id));
  const OpensslAead theirs(aead.name);
  const auto rows = aead_rows(report, operation, aead.id);
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    const Message m = message(aead.id, i, random);
    const Octets sealed = theirs.seal(m.key, m.nonce, m.aad, m.text);
    const bool in_place = random.one_in(2);
    for (const auto& [kernel, row] : rows)
      row->compare(our_sealed(m, aead.id, *kernel, in_place), sealed, {m.key, m.nonce, m.aad, m.text});
  }
}

void compare_open(Report& report, const Aead& aead) {
  const std::string operation = std::string(aead.name) + " open";
  if (!report.wants(operation)) return;
  Random random(report.settings().seed, 30 + static_cast<std::uint64_t>(aead.id));
  const OpensslAead theirs(aead.name);
  const auto rows = aead_rows(report, operation, aead.id);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < report.settings().cases; i++) {
    Message m = message(aead.id, i, random);
    Octets sealed = theirs.seal(m.key, m.nonce, m.aad, m.text);
    if (i % 3 == 2) alter(m, sealed, random);
    const auto text = theirs.open(m.key, m.nonce, m.aad, sealed);
    refused += !text;
    const Octets expected = opened_answer(text, m.text.size());
    const bool in_place = random.one_in(2);
    for (const auto& [kernel, row] : rows)
      row->compare(our_opened(m, sealed, aead.id, *kernel, in_place), expected,
                   {m.key, m.nonce, m.aad, sealed});
  }
  report.note(std::string(aead.name) + " records refused", refused);
}

}  // namespace

void compare_aeads(Report& report) {
  for (const Aead& aead : aeads) {
    compare_seal(report, aead);
    compare_open(report, aead);
  }
}

}  // namespace signet::differential
