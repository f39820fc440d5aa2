// Every primitive beside OpenSSL's libcrypto on the same work, in one process.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <openssl/crypto.h>

#include <signet/crypto/cpu.hpp>
#include <signet/loadtest/prims/report.hpp>

namespace signet::prims {

Octets pattern(std::size_t bytes, std::uint8_t seed) {
  Octets octets(bytes);
  for (std::size_t i = 0; i < bytes; i++) octets[i] = static_cast<std::uint8_t>(seed + 31 * i + i / 251);
  return octets;
}

namespace {

using std::chrono::milliseconds;

constexpr char usage[] =
    "usage: prims [--json] [--kernels] [NAME ...]\n"
    "\n"
    "Ours and OpenSSL's in turn, in short slices; the least of all slices, in microseconds.\n"
    "--kernels  every kernel that this processor can run, not only the one that servers run\n"
    "--json     a list of objects instead of a table\n"
    "NAME       only rows whose name has it in it, as in \"P-256\"\n"
    "SIGNET_CPU_DENY=vaes,adx,... in the environment takes features of the processor away.\n";

/// A whole run stays under 50 seconds; a row alone is not measured longer than it is worth.
constexpr milliseconds whole_run{38'000};
constexpr milliseconds longest_row{500};

struct Options {
  Selection selection{};
  bool json = false;
  std::vector<std::string> names;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    const std::string_view word = argv[i];
    if (word == "--json") {
      options.json = true;
    } else if (word == "--kernels") {
      options.selection.every_kernel = true;
    } else if (word.starts_with('-')) {
      const bool is_help = word == "--help";
      std::fputs(usage, is_help ? stdout : stderr);
      std::exit(is_help ? 0 : 2);
    } else {
      options.names.emplace_back(word);
    }
  }
  return options;
}

Cases all_cases(Selection selection) {
  Cases cases;
  add_x25519_cases(cases, selection);
  add_p256_cases(cases, selection);
  add_aead_cases(cases, selection);
  add_hash_cases(cases, selection);
  add_mac_cases(cases);
  return cases;
}

void keep_named(Cases& cases, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::erase_if(cases, [&](const Case& one) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return one.name.find(name) != std::string::npos; });
  });
}

/// False, after saying so, when the two sides differ anywhere.
bool all_agree(const Cases& cases) {
  bool agree = true;
  for (const Case& one : cases) {
    if (one.agrees()) continue;
    agree = false;
    std::fprintf(stderr, "prims: %s, %zu bytes, %.*s: not OpenSSL's result\n", one.name.c_str(), one.bytes,
                 static_cast<int>(one.kernel.size()), one.kernel.data());
  }
  return agree;
}

int run(const Options& options) {
  Cases cases = all_cases(options.selection);
  keep_named(cases, options.names);
  if (cases.empty()) {
    std::fputs("prims: no row has that name\n", stderr);
    return 2;
  }
  if (!all_agree(cases)) return 1;
  const milliseconds budget = std::min(longest_row, whole_run / static_cast<long>(cases.size()));
  const std::unique_ptr<Report> report = options.json ? json_report() : table_report();
  if (!options.json) std::printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
  report->begin();
  for (const Case& one : cases) report->row(one, measure(one, budget));
  report->end();
  return 0;
}

}  // namespace
}  // namespace signet::prims

int main(int argc, char** argv) {
  const char* denied = std::getenv("SIGNET_CPU_DENY");
  if (denied != nullptr && !signet::crypto::cpu::deny(denied)) {
    std::fprintf(stderr, "SIGNET_CPU_DENY: unknown feature in \"%s\"\n", denied);
    return 2;
  }
  return signet::prims::run(signet::prims::parse(argc, argv));
}
