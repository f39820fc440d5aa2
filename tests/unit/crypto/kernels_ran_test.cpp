// Which hash kernel runs: the fastest that the processor has, and with its features denied the portable one.
// Runs are counted in builds with SIGNET_COUNT_KERNELS; elsewhere the kernel lists are looked at.
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <signet/crypto/hkdf.hpp>
#include <signet/crypto/kernels/kernel_counter.hpp>

using namespace signet;
using namespace signet::crypto;

namespace {

/// Whether SIGNET_CPU_DENY names `feature`; not asked of cpu.hpp, so that a deny list without effect shows.
bool is_denied(std::string_view feature) {
  const char* list = std::getenv("SIGNET_CPU_DENY");
  return list != nullptr &&
         ("," + std::string(list) + ",").find("," + std::string(feature) + ",") != std::string::npos;
}

bool is_there(std::string_view name, cpu::Feature feature) {
  return !is_denied(name) && cpu::available(feature);
}

std::string_view expected_kernel(HashId id) {
  const bool has_avx2 = is_there("avx2", cpu::Feature::avx2);
#if defined(__aarch64__)
  if (id == HashId::sha256) return is_there("sha2", cpu::Feature::sha2) ? "sha256-armv8" : "sha256-portable";
#endif
  if (id == HashId::sha256) {
    if (!is_there("sha", cpu::Feature::sha)) return "sha256-portable";
    return has_avx2 ? "sha256-shani-avx" : "sha256-shani";
  }
  const bool fast = has_avx2 && is_there("bmi2", cpu::Feature::bmi2);
  return fast ? "sha512-avx2" : "sha512-portable";
}

std::string_view preferred_kernel(HashId id) {
  return id == HashId::sha256 ? sha256_kernels().front()->name : sha512_kernels().front()->name;
}

std::vector<std::string_view> kernel_names(HashId id) {
  std::vector<std::string_view> names;
  if (id == HashId::sha256) {
    for (const Sha256Kernel* kernel : sha256_kernels()) names.push_back(kernel->name);
  } else {
    for (const Sha512Kernel* kernel : sha512_kernels()) names.push_back(kernel->name);
  }
  return names;
}

/// How many runs of `expected` and of all other kernels of `id` there were.
struct Runs {
  std::uint64_t expected = 0;
  std::uint64_t others = 0;
};

template <class Call>
Runs runs_of(HashId id, Call call) {
  Runs runs;
  const auto count = [&](std::uint64_t sign) {
    for (const std::string_view name : kernel_names(id)) {
      (name == expected_kernel(id) ? runs.expected : runs.others) += sign * kernel_runs(name);
    }
  };
  count(~std::uint64_t{0});
  call();
  count(1);
  return runs;
}

/// Runs one test case of this program with features denied from its start.
bool passes_without(const char* denied, const char* test_case) {
  const std::string filter = std::string("--test-case=") + test_case;
  const std::string deny = std::string("SIGNET_CPU_DENY=") + denied;
  const char* arguments[] = {"kernels_ran", filter.c_str(), "--no-skip", nullptr};
  std::vector<const char*> environment = {deny.c_str()};
  for (char** entry = ::environ; *entry != nullptr; entry++) {
    if (std::string_view(*entry).substr(0, 16) != "SIGNET_CPU_DENY=") environment.push_back(*entry);
  }
  environment.push_back(nullptr);
  pid_t child = 0;
  REQUIRE(::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(arguments),
                        const_cast<char**>(environment.data())) == 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

constexpr HashId all_ids[] = {HashId::sha256, HashId::sha384, HashId::sha512};

}  // namespace

TEST_CASE("hash kernels: the preferred one runs") {
  for (const HashId id : all_ids) {
    CHECK(preferred_kernel(id) == expected_kernel(id));
    CHECK(kernel_names(id).back() == (id == HashId::sha256 ? "sha256-portable" : "sha512-portable"));
    if (!kernels_are_counted) {
      MESSAGE("kernel runs are not counted in this build; the list says ", preferred_kernel(id));
      continue;
    }
    std::vector<std::uint8_t> out(digest_bytes(id));
    const Runs runs = runs_of(id, [&] { hash(out, id, base::as_bytes("abc")); });
    CHECK(runs.expected == 1);
    CHECK(runs.others == 0);
  }
}

TEST_CASE("hash kernels: with features denied the portable ones run") {
  CHECK(passes_without("sha", "hash kernels: the preferred one runs"));
  CHECK(passes_without("avx2", "hash kernels: the preferred one runs"));
  CHECK(passes_without("sha,bmi2", "hash kernels: the preferred one runs"));
}

TEST_CASE("hash kernels: whole blocks of one update are one run") {
  if (!kernels_are_counted) return;
  const std::vector<std::uint8_t> data(16384);
  for (const HashId id : all_ids) {
    Hash running(id);
    const Runs runs = runs_of(id, [&] { running.update(data); });
    CHECK(runs.expected == 1);
  }
}

TEST_CASE("hash kernels: a short MAC under a prepared key costs two compressions, a key two") {
  if (!kernels_are_counted) return;
  const std::vector<std::uint8_t> secret(32, 7);
  for (const HashId id : all_ids) {
    const std::size_t longest = block_bytes(id) == 64 ? 55 : 111;
    const std::vector<std::uint8_t> message(longest + 1, 1);
    std::vector<std::uint8_t> tag(digest_bytes(id));
    HmacKey key;
    CHECK(runs_of(id, [&] { key = HmacKey(id, secret); }).expected == 2);
    CHECK(runs_of(id, [&] { hmac(tag, key, base::Bytes(message).first(longest)); }).expected == 2);
    CHECK(runs_of(id, [&] { hmac(tag, key, message); }).expected == 3);
    const auto expand = [&] { CHECK(hkdf_expand(tag, key, base::Bytes(message).first(20))); };
    CHECK(runs_of(id, expand).expected == 2);
  }
}
