// Units of work whose instructions callgrind counts; scripts/perf_guard reads the counts out of its dumps.
//
// Callgrind starts with collecting off. Each unit runs once before it is counted, so that what is made at the
// first call (lists of kernels, caches) is no part of it.
#pragma once

#include <cstddef>
#include <string_view>

#include <signet/base/bytes.hpp>

namespace signet::counted {

/// Names a row of the guard's table: a row of the baseline is the same one when all three are equal.
struct Row {
  std::string_view name;
  std::size_t bytes;        // 0 where no length is meant
  std::string_view kernel;  // "-" where several run
};

/// Begins and stops counting; without valgrind, and while rehearsing, nothing happens.
void toggle() noexcept;
/// Rehearsing: pieces are done without being counted.
void set_rehearsing(bool rehearsing) noexcept;
/// Gives what was counted since the last call to this row.
void give_to(const Row& row);

/// Ends the program with an error when the work did not do what it is for.
void require(bool did_it, std::string_view what);

/// Pieces of one unit are counted as they come, what lies between them is not.
template <class Work>
decltype(auto) piece(Work&& work) {
  struct Counting {
    Counting() noexcept { toggle(); }
    ~Counting() { toggle(); }
  } counting;
  return work();
}

/// A unit of one piece.
template <class Work>
void count(const Row& row, Work&& work) {
  work();
  piece(work);
  give_to(row);
}

/// `bytes` octets, the same in every run, at most 16,384.
[[nodiscard]] base::Bytes text(std::size_t bytes);

constexpr std::size_t lengths[] = {64, 1'024, 16'384};
constexpr std::size_t longest = 16'384;

/// Begins the stream of random octets anew, so that no unit depends on those before it.
void restart_random() noexcept;

// The units, a file each.
void count_curves();
void count_hashes();
void count_ciphers();
void count_records();
void count_handshake();
void count_request();

}  // namespace signet::counted
