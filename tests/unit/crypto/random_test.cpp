// The random source: it fills all of what it is given and nothing else.
#include <algorithm>
#include <csignal>
#include <set>
#include <vector>

#include <doctest/doctest.h>
#include <sys/time.h>

#include <signet/crypto/random.hpp>

using namespace signet;

namespace {

bool is_zero(base::Bytes bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t octet) { return octet == 0; });
}

/// How many of the whole groups of 32 octets are all zero: a chance of 2^-256 for each that was filled.
std::size_t empty_groups(base::Bytes bytes) {
  std::size_t empty = 0;
  for (; bytes.size() >= 32; bytes = bytes.subspan(32)) empty += is_zero(bytes.first(32)) ? 1 : 0;
  return empty;
}

/// Interrupts system calls every 500 microseconds while it lives.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action = {};
    action.sa_handler = [](int) {};  // without SA_RESTART
    ::sigaction(SIGALRM, &action, &before_);
    set(500);
  }
  ~Interruptions() {
    set(0);
    ::sigaction(SIGALRM, &before_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

 private:
  static void set(suseconds_t interval) {
    const itimerval timer = {{0, interval}, {0, interval}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  }
  struct sigaction before_;
};

}  // namespace

TEST_CASE("random octets fill the span and end where it ends") {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{257}, std::size_t{1} << 16}) {
    std::vector<std::uint8_t> bytes(n + 32, 0);
    crypto::random_bytes(base::MutBytes(bytes).first(n));
    CHECK(is_zero(base::Bytes(bytes).subspan(n)));
    CHECK(empty_groups(base::Bytes(bytes).first(n)) == 0);
  }
}

// A signal cuts getrandom's answer short.
TEST_CASE("random octets fill the span while signals come") {
  std::vector<std::uint8_t> bytes(std::size_t{16} << 20, 0);
  {
    const Interruptions interruptions;
    crypto::random_bytes(bytes);
  }
  CHECK(empty_groups(bytes) == 0);
}

TEST_CASE("no two answers are the same") {
  std::set<std::vector<std::uint8_t>> seen;
  for (int i = 0; i < 1000; i++) {
    std::vector<std::uint8_t> bytes(16);
    crypto::random_bytes(bytes);
    CHECK(seen.insert(bytes).second);
  }
}
