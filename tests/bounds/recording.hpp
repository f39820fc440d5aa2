// A field that computes nothing: its elements are numbers of values, and every operation is written out, one
// a line, as the point formulas and multiplications of crypto/kernels ask for it. formulas.py puts bounds in.
//
//     formula NAME            what follows belongs to it
//     in NUMBER NAME          an operand
//     OPERATION NUMBER ...    the result's number, then the operands'
//     out NUMBER NAME         a result
//     end
#pragma once

#include <cstdint>
#include <cstdio>

namespace signet::bounds {

inline std::uint64_t values = 0;  // how many there are

inline std::uint64_t new_value() { return ++values; }

template <class... Operands>
std::uint64_t record(const char* operation, Operands... operands) {
  const std::uint64_t made = new_value();
  std::printf("%s %llu", operation, static_cast<unsigned long long>(made));
  (std::printf(" %llu", static_cast<unsigned long long>(operands)), ...);
  std::printf("\n");
  return made;
}

inline std::uint64_t record_constant(const std::uint64_t w[4]) {
  const std::uint64_t made = new_value();
  std::printf("constant %llu 0x", static_cast<unsigned long long>(made));
  for (int i = 3; i >= 0; i--) std::printf("%016llx", static_cast<unsigned long long>(w[i]));
  std::printf("\n");
  return made;
}

inline std::uint64_t record_in(const char* name) {
  const std::uint64_t made = new_value();
  std::printf("in %llu %s\n", static_cast<unsigned long long>(made), name);
  return made;
}

inline void record_out(std::uint64_t value, const char* name) {
  std::printf("out %llu %s\n", static_cast<unsigned long long>(value), name);
}

inline void begin_formula(const char* name) { std::printf("formula %s\n", name); }
inline void end_formula() { std::printf("end\n"); }

void record_p256();
void record_x25519();

}  // namespace signet::bounds
