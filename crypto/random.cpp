#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <sys/random.h>

#include <signet/crypto/random.hpp>

namespace signet::crypto {
namespace {

[[noreturn]] void give_up(int error) noexcept {
  std::fprintf(stderr, "signet: getrandom: %s; no secret can be made without it\n", std::strerror(error));
  std::abort();
}

}  // namespace

void random_bytes(base::MutBytes out) noexcept {
  while (!out.empty()) {
    // Over 256 octets, and before the kernel's pool is ready, a signal may cut the answer short
    // (getrandom(2)).
    const ssize_t got = ::getrandom(out.data(), out.size(), 0);
    if (got > 0) {
      out = out.subspan(static_cast<std::size_t>(got));
    } else if (got < 0 && errno != EINTR) {
      give_up(errno);
    }
  }
}

}  // namespace signet::crypto
