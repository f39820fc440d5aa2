// SHA-256, SHA-384 and SHA-512 on every kernel.
#include <signet/tests/support/hex.hpp>
#include <signet/tests/vectors/digests.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {

using crypto::HashId;

std::optional<HashId> hash_named(std::string_view name) {
  if (name.find("512/") != std::string_view::npos || name.find("SHA3-") != std::string_view::npos)
    return std::nullopt;
  if (name.ends_with("256")) return HashId::sha256;
  if (name.ends_with("384")) return HashId::sha384;
  if (name.ends_with("512")) return HashId::sha512;
  return std::nullopt;
}

Octets digest_of(HashId id, base::Bytes data) {
  Octets digest(crypto::digest_bytes(id));
  crypto::hash(digest, id, data);
  return digest;
}

namespace {

template <class Running>
Octets finished(Running running, base::Bytes data, std::size_t digest_bytes) {
  Octets digest(digest_bytes);
  running.update(data);
  if constexpr (std::is_same_v<Running, crypto::Sha256>) {
    running.finish(std::span<std::uint8_t, 32>(digest.data(), 32));
  } else {
    running.finish(digest);
  }
  return digest;
}

}  // namespace

std::vector<KernelDigest> digests_of(HashId id, base::Bytes data) {
  std::vector<KernelDigest> all;
  if (id == HashId::sha256) {
    for (const crypto::Sha256Kernel* kernel : crypto::sha256_kernels()) {
      all.push_back({kernel->name, finished(crypto::Sha256(*kernel), data, 32)});
    }
    return all;
  }
  for (const crypto::Sha512Kernel* kernel : crypto::sha512_kernels()) {
    const auto running =
        id == HashId::sha384 ? crypto::Sha512::sha384(*kernel) : crypto::Sha512::sha512(*kernel);
    all.push_back({kernel->name, finished(running, data, crypto::digest_bytes(id))});
  }
  return all;
}

namespace {

void expect_digest(Case& one, HashId id, const Octets& message, const Octets& expected) {
  for (const KernelDigest& made : digests_of(id, message)) {
    one.expect(made.digest == expected, "another digest", made.kernel);
  }
}

template <HashId id>
void messages(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    Octets message = hex(json, "msg");
    if (number(json, "len_bits") % 8 != 0) return one.skip("a message that is not of whole octets");
    message.resize(number(json, "len_bits") / 8);
    expect_digest(one, id, message, hex(json, "md"));
  });
}

/// One checkpoint of NIST's Monte Carlo test: a thousand digests, each of the three before it.
Octets checkpoint(HashId id, const Octets& seed, std::size_t kernel) {
  Octets last[3] = {seed, seed, seed};
  for (int i = 0; i < 1000; i++) {
    Octets message = last[0];
    message.insert(message.end(), last[1].begin(), last[1].end());
    message.insert(message.end(), last[2].begin(), last[2].end());
    last[0] = std::move(last[1]);
    last[1] = std::move(last[2]);
    last[2] = digests_of(id, message)[kernel].digest;
  }
  return last[2];
}

std::size_t kernel_count(HashId id) { return digests_of(id, {}).size(); }

void expect_checkpoint(Case& one, HashId id, const Octets& seed, const Octets& expected) {
  for (std::size_t kernel = 0; kernel < kernel_count(id); kernel++) {
    one.expect(checkpoint(id, seed, kernel) == expected, "another checkpoint",
               digests_of(id, {})[kernel].kernel);
  }
}

template <HashId id>
void monte_carlo(Report& report, Json document) {
  Octets seed = hex(document, "seed");
  std::size_t number_of = 0;
  for (const Json json : list(document, "checkpoints")) {
    Case one(report, "checkpoint " + std::to_string(number_of++));
    std::string_view digits;
    one.expect(json.get(digits) == simdjson::SUCCESS, "no text");
    const Octets expected = test::from_hex(digits);
    expect_checkpoint(one, id, seed, expected);
    seed = expected;
  }
}

void acvp_monte_carlo(Case& one, HashId id, Octets seed, const std::vector<Json>& results) {
  one.expect(!results.empty(), "no results");
  for (const Json result : results) {
    expect_checkpoint(one, id, seed, hex(result, "md"));
    seed = hex(result, "md");
  }
}

void acvp(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const Json prompt = child(json, "prompt"), answer = child(json, "answer");
    const auto id = hash_named(text(json, "algorithm"));
    if (!id) return one.skip(other_hash);
    const std::string type = text(child(json, "group"), "testType");
    Octets message = hex(prompt, "msg");
    if (number(prompt, "len") % 8 != 0) return one.skip("a message that is not of whole octets");
    message.resize(number(prompt, "len") / 8);
    if (type == "AFT") return expect_digest(one, *id, message, hex(answer, "md"));
    if (type == "MCT") return acvp_monte_carlo(one, *id, message, list(answer, "resultsArray"));
    one.skip("a type of test that is not known: " + type);
  });
}

constexpr File files[] = {
    {"nist/sha256.json", messages<HashId::sha256>},
    {"nist/sha384.json", messages<HashId::sha384>},
    {"nist/sha512.json", messages<HashId::sha512>},
    {"nist/sha256_monte.json", monte_carlo<HashId::sha256>},
    {"nist/sha384_monte.json", monte_carlo<HashId::sha384>},
    {"nist/sha512_monte.json", monte_carlo<HashId::sha512>},
    {"nist/acvp_sha2-256.json", acvp},
    {"nist/acvp_sha2-384.json", acvp},
    {"nist/acvp_sha2-512.json", acvp},
};

}  // namespace

std::span<const File> hash_files() { return files; }

}  // namespace signet::vectors
