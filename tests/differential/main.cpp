// Every operation of crypto/ beside libcrypto's, on the same random and edge cases, on every kernel.
//
//   differential [--seed N] [--cases N] [--only PART] [--alter]
//
// Exit 0 when there was no difference. With --alter one answer of ours in every row is made wrong, and exit 0
// says that each row noticed exactly that one.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <signet/crypto/cpu.hpp>
#include <signet/tests/differential/operations.hpp>

using namespace signet::differential;

namespace {

[[noreturn]] void explain() {
  std::fprintf(stderr, "usage: differential [--seed N] [--cases N] [--only PART] [--alter]\n");
  std::exit(2);
}

std::uint64_t positive(const char* text) {
  const std::uint64_t n = text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  if (n == 0) explain();
  return n;
}

Settings read_settings(char** argument) {
  Settings settings;
  while (*argument != nullptr) {
    const char* name = *argument++;
    if (std::strcmp(name, "--alter") == 0) {
      settings.alters = true;
      continue;
    }
    const char* value = *argument;
    if (std::strcmp(name, "--seed") == 0) {
      settings.seed = positive(value);
    } else if (std::strcmp(name, "--cases") == 0) {
      settings.cases = static_cast<std::size_t>(positive(value));
    } else if (std::strcmp(name, "--only") == 0 && value != nullptr) {
      settings.only = value;
    } else {
      explain();
    }
    argument++;
  }
  return settings;
}

void deny_features() {
  const char* denied = std::getenv("SIGNET_CPU_DENY");
  if (denied == nullptr || signet::crypto::cpu::deny(denied)) return;
  std::fprintf(stderr, "SIGNET_CPU_DENY: unknown feature in \"%s\"\n", denied);
  std::exit(2);
}

}  // namespace

int main(int, char** argv) {
  deny_features();
  Report report(read_settings(argv + 1));
  std::printf("seed %llu\n", static_cast<unsigned long long>(report.settings().seed));
  compare_x25519(report);
  compare_p256_keys(report);
  compare_ecdsa_sign(report);
  compare_ecdsa_verify(report);
  compare_ecdsa_walks(report);
  compare_aeads(report);
  compare_hashes(report);
  compare_macs(report);
  return report.finish() ? 0 : 1;
}
