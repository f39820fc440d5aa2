// What a fuzz target demands: a broken promise ends the process, in every build type, so that the input is
// kept.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace signet::fuzz {

inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: broken promise: %s\n", promise);
  std::abort();
}

}  // namespace signet::fuzz
