// Does each unit of work once under callgrind. On standard output: what the counts depend on, and how many
// there are.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "counted.hpp"
#include <valgrind/callgrind.h>

namespace signet::counted {
namespace {

std::size_t rows = 0;
bool is_rehearsing = false;

}  // namespace

void toggle() noexcept {
  if (!is_rehearsing) CALLGRIND_TOGGLE_COLLECT;
}

void set_rehearsing(bool rehearsing) noexcept { is_rehearsing = rehearsing; }

void give_to(const Row& row) {
  const std::string line =
      std::string(row.name) + " | " + std::to_string(row.bytes) + " | " + std::string(row.kernel);
  CALLGRIND_DUMP_STATS_AT(line.c_str());
  rows++;
}

void require(bool did_it, std::string_view what) {
  if (did_it) return;
  std::fprintf(stderr, "counted_work: failed: %.*s\n", static_cast<int>(what.size()), what.data());
  std::exit(1);
}

base::Bytes text(std::size_t bytes) {
  static const std::vector<std::uint8_t> octets = [] {
    std::vector<std::uint8_t> made(longest);
    for (std::size_t i = 0; i < made.size(); i++) made[i] = static_cast<std::uint8_t>(i * 131 + (i >> 8));
    return made;
  }();
  require(bytes <= octets.size(), "a text of that length");
  return {octets.data(), bytes};
}

}  // namespace signet::counted

int main() {
  using namespace signet::counted;
  count_curves();
  count_hashes();
  count_ciphers();
  count_records();
  count_handshake();
  count_request();
  std::printf("architecture %s\ncompiler %s\nrows %zu\n", COUNTED_ARCHITECTURE, COUNTED_COMPILER, rows);
  return 0;
}
