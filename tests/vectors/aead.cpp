// AES-GCM and ChaCha20-Poly1305: every case on every kernel and in every way of the overlap contract, sealed
// and opened; and the proof, on the same cases, that a kernel which stores ahead is caught.
#include <array>

#include <signet/tests/support/aead_altered.hpp>
#include <signet/tests/support/aead_ways.hpp>
#include <signet/tests/vectors/aead_runs.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {
namespace {

using crypto::AeadId;
using crypto::AeadKernel;
using test::AeadCase;
using test::AeadWay;

constexpr const char* names[] = {"AES-128-GCM", "AES-256-GCM", "ChaCha20-Poly1305"};
constexpr std::size_t way_count = std::size(test::aead_ways);

std::string way_names() {
  std::string text;
  for (const AeadWay& way : test::aead_ways) text += (text.empty() ? "" : ", ") + std::string(way.name);
  return text;
}

bool right_in_way(const AeadKernel& kernel, AeadId id, const AeadJob& job, const AeadWay& way) {
  crypto::AeadKey key;
  key.init(id, job.values.key, kernel);
  bool right = test::opens_in_way(key, job.values, job.genuine, way);
  if (job.seals) {
    const std::size_t tail =
        job.values.plaintext.empty() ? 0 : 1;  // the last octet as TLS gives its inner type
    right = right && test::seals_in_way(key, job.values, 0, way) &&
            test::seals_in_way(key, job.values, tail, way);
  }
  key.wipe();
  return right;
}

/// Whether storing 16 octets ahead must harm this case in this way: a whole block that is not loaded yet is
/// overwritten.
bool must_harm(const AeadJob& job, const AeadWay& way) {
  return job.genuine && job.values.ciphertext.size() >= 2 * test::altered_reach + way.down && !way.disjoint &&
         way.down < test::altered_reach;
}

}  // namespace

void AeadRuns::add(Case& one, AeadId id, AeadJob job) {
  Tally& tally = tallies_[static_cast<std::size_t>(id)];
  tally.cases++;
  for (const AeadKernel* kernel : crypto::aead_kernels(id)) {
    for (const AeadWay& way : test::aead_ways) {
      tally.runs++;
      one.expect(right_in_way(*kernel, id, job, way), way.name, kernel->name);
    }
  }
  const AeadKernel altered = test::altered_kernel(*crypto::aead_kernels(id).front());
  for (const AeadWay& way : test::aead_ways) {
    if (!must_harm(job, way)) continue;
    tally.altered++;
    if (!right_in_way(altered, id, job, way)) tally.caught++;
  }
}

void AeadRuns::finish(Report& report) const {
  for (std::size_t i = 0; i < std::size(tallies_); i++) {
    const Tally& tally = tallies_[i];
    if (tally.cases == 0) continue;
    const auto kernels = crypto::aead_kernels(static_cast<AeadId>(i));
    const std::string name = names[i];
    std::string line = name + ": " + std::to_string(kernels.size()) + " kernels x " +
                       std::to_string(way_count) + " ways (" + way_names() + ") x " +
                       std::to_string(tally.cases) + " cases = " + std::to_string(tally.runs) + " runs, on";
    for (const AeadKernel* kernel : kernels) line += " " + std::string(kernel->name);
    report.note(line);
    if (tally.runs != kernels.size() * way_count * tally.cases)
      report.fail(name, "not every kernel in every way");
    if (tally.altered == 0) continue;
    report.note(name + ": a kernel that stores 16 octets ahead was caught " + std::to_string(tally.caught) +
                " of " + std::to_string(tally.altered) + " times");
    if (tally.caught != tally.altered)
      report.fail(name, "a kernel that stores 16 octets ahead was not caught");
  }
}

namespace {

constexpr const char* other_iv = "an IV that is not of 96 bits: TLS has no other";
constexpr const char* other_tag = "a tag that is not of 128 bits: TLS 1.3 has no other";
constexpr const char* other_key = "a key of 192 bits: no suite has one";

/// nullptr when TLS has such a case, else why not.
const char* left_out(std::size_t key_bytes, std::size_t iv_bits, std::size_t tag_bits) {
  if (key_bytes == 24) return other_key;
  if (iv_bits != 96) return other_iv;
  return tag_bits != 128 ? other_tag : nullptr;
}

AeadId gcm_of(const Octets& key) { return key.size() == 16 ? AeadId::aes_128_gcm : AeadId::aes_256_gcm; }

void nist_gcm(Report& report, Json document) {
  AeadRuns runs;
  each_case(report, document, "cases", [&](Case& one, Json json) {
    const bool genuine = text(json, "result") == "ok";
    AeadJob job{{hex(json, "key"), hex(json, "iv"), hex(json, "aad"), hex(json, "pt"), hex(json, "ct"),
                 hex(json, "tag")},
                genuine,
                genuine};
    const AeadCase& c = job.values;
    const char* reason = left_out(c.key.size(), 8 * c.nonce.size(), 8 * c.tag.size());
    if (reason != nullptr) return one.skip(reason);
    const AeadId id = gcm_of(c.key);
    runs.add(one, id, std::move(job));
  });
  runs.finish(report);
}

void acvp_gcm(Report& report, Json document) {
  AeadRuns runs;
  each_case(report, document, "cases", [&](Case& one, Json json) {
    const Json group = child(json, "group"), prompt = child(json, "prompt"), answer = child(json, "answer");
    const Octets key = hex(prompt, "key");
    const char* reason = left_out(key.size(), number(group, "ivLen"), number(group, "tagLen"));
    if (reason != nullptr) return one.skip(reason);
    const bool seals = text(group, "direction") == "encrypt";
    const bool genuine = seals || flag(answer, "testPassed") || has(answer, "pt");
    const Json sealed = seals ? answer : prompt;
    runs.add(one, gcm_of(key),
             {{key, hex(prompt, "iv"), hex(prompt, "aad"), hex(seals ? prompt : answer, "pt"),
               hex(sealed, "ct"), hex(sealed, "tag")},
              genuine,
              genuine});
  });
  runs.finish(report);
}

void wycheproof(Report& report, Json document) {
  AeadRuns runs;
  const bool chacha = text(document, "algorithm") == "CHACHA20-POLY1305";
  each_test(report, document, [&](Case& one, Json json, Json group) {
    const Octets key = hex(json, "key");
    const char* reason = left_out(key.size(), number(group, "ivSize"), number(group, "tagSize"));
    if (reason != nullptr) return one.skip(reason);
    const bool genuine = text(json, "result") == "valid";
    runs.add(one, chacha ? AeadId::chacha20_poly1305 : gcm_of(key),
             {{key, hex(json, "iv"), hex(json, "aad"), hex(json, "msg"), hex(json, "ct"), hex(json, "tag")},
              genuine,
              genuine});
  });
  runs.finish(report);
}

constexpr File files[] = {
    {"nist/aes_gcm.json", nist_gcm},
    {"nist/acvp_aes-gcm.json", acvp_gcm},
    {"wycheproof/aes_gcm_test.json", wycheproof},
    {"wycheproof/chacha20_poly1305_test.json", wycheproof},
};

}  // namespace

std::span<const File> aead_files() { return files; }

}  // namespace signet::vectors
