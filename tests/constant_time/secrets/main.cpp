// Runs what handles secrets, with its secrets marked, under valgrind's memcheck. With an argument: one of the
// controls, which leak on purpose.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "marks.hpp"
#include <valgrind/memcheck.h>

namespace signet::secrets {
namespace {

int length_of(std::string_view text) { return static_cast<int>(text.size()); }

bool has_secret_bit(base::Bytes bytes) {
  std::vector<std::uint8_t> undefined(bytes.size());
  require(VALGRIND_GET_VBITS(bytes.data(), undefined.data(), bytes.size()) == 1, "asking memcheck for marks");
  std::uint8_t any = 0;
  for (const std::uint8_t octet : undefined) any |= octet;
  return any != 0;
}

}  // namespace

void mark_secret(base::MutBytes bytes) noexcept { VALGRIND_MAKE_MEM_UNDEFINED(bytes.data(), bytes.size()); }

void reveal_bytes(base::MutBytes bytes, std::string_view reason) {
  require(has_secret_bit(bytes), reason);
  VALGRIND_MAKE_MEM_DEFINED(bytes.data(), bytes.size());
  std::printf("  revealed: %.*s\n", length_of(reason), reason.data());
}

void require(bool did_it, std::string_view what) {
  if (did_it) return;
  std::fprintf(stderr, "marked_secrets: failed: %.*s\n", length_of(what), what.data());
  std::exit(1);
}

void begin(std::string_view work, std::string_view kernel) {
  std::printf("%.*s: %.*s\n", length_of(work), work.data(), length_of(kernel), kernel.data());
}

}  // namespace signet::secrets

int main(int argument_count, char** arguments) {
  using namespace signet::secrets;
  require(RUNNING_ON_VALGRIND != 0, "this program checks nothing unless valgrind runs it");
  if (argument_count == 2) {
    require(run_control(arguments[1]), "there is no such control");
    return 0;
  }
  run_curves();
  run_ciphers();
  run_hashes();
  run_private_keys();
  std::printf("all work was done\n");
  return 0;
}
