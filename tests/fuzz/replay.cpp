// Runs a fuzz target over inputs that are there already, in any build: the corpus, and other implementations'
// seeds.
//
//   fuzz_replay_<target> [--corpus FILE] [--seeds FILE CONTROLS]... [INPUT]...
//
// A corpus has one input a line, in base64. Seeds are read from fuzz-seeds/FILE of the test vectors and run
// once for each control octet below CONTROLS; without vectors that is skipped, and said. INPUT is a file as
// libFuzzer leaves it. Fails when there is nothing to run in a corpus or input.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <simdjson.h>

#include <signet/crypto/base64.hpp>
#include <signet/tests/fuzz/input.hpp>
#include <signet/tests/support/vector_files.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace signet;
using fuzz::Octets;

// In memory of exactly its size, so that AddressSanitizer sees a look past it.
void run(const Octets& input) {
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[input.size()]);
  std::copy(input.begin(), input.end(), exact.get());
  LLVMFuzzerTestOneInput(exact.get(), input.size());
}

Octets decoded(std::string_view base64) {
  Octets octets;
  crypto::Base64Decoder decoder;
  if (decoder.update(octets, base64) && decoder.finish()) return octets;
  std::fprintf(stderr, "an input is not base64: %s\n", decoder.reason());
  std::exit(1);
}

void run_seeds(const std::string& name, unsigned controls) {
  const auto path = test::vector_file("fuzz-seeds/" + name);
  if (!path) {
    std::printf("skipped: no vectors fuzz-seeds/%s\n", name.c_str());
    return;
  }
  simdjson::dom::parser parser;
  const simdjson::dom::array seeds = parser.load(*path)["seeds"];
  std::size_t n = 0;
  for (const simdjson::dom::element seed : seeds) {
    Octets input = decoded(seed["b64"]);
    input.insert(input.begin(), 0);
    for (unsigned control = 0; control < controls; control++, n++) {
      input[0] = static_cast<std::uint8_t>(control);
      run(input);
    }
  }
  std::printf("%zu runs of seeds fuzz-seeds/%s\n", n, name.c_str());
}

bool run_corpus(const char* path) {
  std::ifstream file(path);
  std::size_t n = 0;
  for (std::string line; std::getline(file, line); n++) run(decoded(line));
  std::printf("%zu inputs of %s\n", n, path);
  return n > 0;
}

bool run_input(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  run(Octets(std::istreambuf_iterator<char>(file), {}));
  std::printf("ran %s\n", path);
  return true;
}

bool run_all(int argc, char** argv) {
  bool all = argc > 1;
  for (int i = 1; i < argc; i++) {
    const std::string_view option = argv[i];
    if (option == "--seeds" && i + 2 < argc) {
      run_seeds(argv[i + 1], static_cast<unsigned>(std::atoi(argv[i + 2])));
      i += 2;
    } else if (option == "--corpus" && i + 1 < argc) {
      all = run_corpus(argv[++i]) && all;
    } else {
      all = run_input(argv[i]) && all;
    }
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) try {
  return run_all(argc, argv) ? 0 : 1;
} catch (const std::exception& fault) {
  std::fprintf(stderr, "%s\n", fault.what());
  return 1;
}
