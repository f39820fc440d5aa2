// doctest's main, with the CPU features taken away that SIGNET_CPU_DENY names.
#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <cstdlib>

#include <doctest/doctest.h>

#include <signet/crypto/cpu.hpp>

int main(int argc, char** argv) {
  const char* denied = std::getenv("SIGNET_CPU_DENY");
  if (denied != nullptr && !signet::crypto::cpu::deny(denied)) {
    std::fprintf(stderr, "SIGNET_CPU_DENY: unknown feature in \"%s\"\n", denied);
    return 2;
  }
  return doctest::Context(argc, argv).run();
}
