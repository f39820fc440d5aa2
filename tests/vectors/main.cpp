// vectors [--any-count] [FILE|FAMILY ...]: runs the independent test vectors, and compares how many cases ran
// with tests/vectors.expect. Exit 0, 1 (a failure, or another count), 2 (usage), 77 (no vectors).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include <signet/crypto/cpu.hpp>
#include <signet/tests/vectors/expectations.hpp>
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {
namespace {

constexpr int exit_skipped = 77;  // ctest's SKIP_RETURN_CODE

struct Options {
  bool any_count = false;
  std::vector<std::string> names;

  [[nodiscard]] bool wants(const std::string& file) const {
    for (const std::string& name : names) {
      if (file == name || file.rfind(name + "/", 0) == 0) return true;
    }
    return names.empty();
  }
};

struct Totals {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;

  /// Something that is wrong with no one case.
  void fault(const std::string& what) {
    std::printf("FAILED %s\n", what.c_str());
    failed++;
  }
  int end() const {
    std::printf("%zu passed, %zu failed, %zu skipped\n", passed, failed, skipped);
    return failed == 0 ? 0 : 1;
  }
};

std::filesystem::path vectors_folder() {
  const char* given = std::getenv("SIGNET_VECTORS");
  if (given != nullptr) return given;
  return (std::filesystem::path(SIGNET_SOURCE_ROOT) / ".." / "shared" / "vectors").lexically_normal();
}

std::map<std::string, Runner> all_runners() {
  std::map<std::string, Runner> runners;
  for (const auto& files :
       {aead_files(), cipher_files(), hash_files(), mac_files(), p256_files(), ecdsa_files(), x25519_files(),
        tls_files(), certificate_files(), http_files(), llhttp_files(), seed_files()}) {
    for (const File& file : files) runners[file.name] = file.run;
  }
  return runners;
}

class Run {
 public:
  Run(Options options, std::filesystem::path folder)
      : options_(std::move(options)), folder_(std::move(folder)) {}

  int all() {
    const auto expectations = read_expectations(SIGNET_SOURCE_ROOT "/tests/vectors.expect");
    if (!expectations) totals_.fault("tests/vectors.expect cannot be read");
    if (expectations) {
      for (const Expectation& expected : *expectations) one(expected);
      if (options_.names.empty()) check_all_listed(*expectations);
    }
    for (const std::string& name : options_.names) check_name(name);
    return totals_.end();
  }

 private:
  void one(const Expectation& expected) {
    if (!options_.wants(expected.file)) return;
    wanted_.insert(expected.file);
    const std::string path = (folder_ / expected.file).string();
    if (!std::filesystem::exists(path)) {
      if (!options_.any_count) totals_.fault(expected.file + " is not there");
      return;
    }
    simdjson::dom::parser parser;
    Json document;
    if (parser.load(path).get(document) != simdjson::SUCCESS)
      return totals_.fault(expected.file + " is not JSON");
    Report report;
    const auto start = std::chrono::steady_clock::now();
    run(report, expected, document);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    report.print(expected.file, seconds.count());
    add(report, expected);
  }

  void run(Report& report, const Expectation& expected, Json document) {
    const auto runner = runners_.find(expected.file);
    if (expected.run && runner != runners_.end()) {
      runner->second(report, document);
    } else if (expected.run) {
      report.fail(expected.file, "nothing runs it, though cases are expected");
    } else {
      const auto listed = manifest_.find(expected.file);
      const std::size_t cases = case_count(document);
      report.skip(expected.reason, listed == manifest_.end() ? cases : std::max(cases, listed->second));
    }
  }

  void add(const Report& report, const Expectation& expected) {
    totals_.passed += report.passed();
    totals_.failed += report.failed();
    totals_.skipped += report.skipped();
    if (options_.any_count || !expected.run) return;
    if (report.run() != *expected.run) {
      totals_.fault(expected.file + ": " + std::to_string(report.run()) + " cases ran, " +
                    std::to_string(*expected.run) + " are expected");
    }
    const auto listed = manifest_.find(expected.file);
    if (listed != manifest_.end() && report.passed() + report.failed() + report.skipped() < listed->second) {
      totals_.fault(expected.file + ": cases were lost, neither run nor skipped");
    }
  }

  /// Every file of the manifest has its line, and every runner too.
  void check_all_listed(const std::vector<Expectation>& expectations) {
    std::set<std::string> listed;
    for (const Expectation& expected : expectations) listed.insert(expected.file);
    for (const auto& [file, run] : runners_) {
      if (listed.count(file) == 0)
        totals_.fault(file + " can be run, but tests/vectors.expect does not name it");
    }
    if (options_.any_count) return;
    if (manifest_.empty()) totals_.fault("MANIFEST.md names no file");
    for (const auto& [file, cases] : manifest_) {
      if (listed.count(file) == 0)
        totals_.fault(file + " is in MANIFEST.md, but not in tests/vectors.expect");
    }
  }

  void check_name(const std::string& name) {
    for (const std::string& file : wanted_) {
      if (file == name || file.rfind(name + "/", 0) == 0) return;
    }
    totals_.fault("no file or family is called " + name);
  }

  Options options_;
  std::filesystem::path folder_;
  std::map<std::string, Runner> runners_ = all_runners();
  std::map<std::string, std::size_t> manifest_ = read_manifest((folder_ / "MANIFEST.md").string());
  std::set<std::string> wanted_;
  Totals totals_;
};

}  // namespace

int run_vectors(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "--any-count") {
      options.any_count = true;
    } else if (!word.empty() && word[0] == '-') {
      std::fprintf(stderr, "usage: vectors [--any-count] [FILE|FAMILY ...]\n");
      return 2;
    } else {
      options.names.push_back(word);
    }
  }
  const std::filesystem::path folder = vectors_folder();
  if (!std::filesystem::is_directory(folder)) {
    std::printf("no vectors in %s: nothing was tested\n0 passed, 0 failed, 0 skipped\n", folder.c_str());
    return exit_skipped;
  }
  return Run(std::move(options), folder).all();
}

}  // namespace signet::vectors

int main(int argc, char** argv) {
  const char* denied = std::getenv("SIGNET_CPU_DENY");
  if (denied != nullptr && !signet::crypto::cpu::deny(denied)) {
    std::fprintf(stderr, "SIGNET_CPU_DENY: unknown feature in \"%s\"\n", denied);
    return 2;
  }
  return signet::vectors::run_vectors(argc, argv);
}
