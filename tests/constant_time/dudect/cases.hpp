// What is timed: each case runs on inputs of two classes, one fixed and one random.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <signet/crypto/p256.hpp>

namespace signet::dudect {

/// Splitmix64 (Steele, Lea, Flood 2014), seeded by the system.
class Random {
 public:
  Random() noexcept;
  [[nodiscard]] std::uint64_t next() noexcept;
  void fill(base::MutBytes octets) noexcept;

 private:
  std::uint64_t state_;
};

/// Made before anything is timed, and copied to one and the same place for each measurement.
struct Input {
  std::uint8_t octets[64];
  crypto::p256::Scalar scalar;
  crypto::P256PrivateKey key;
};

struct Case {
  std::string name;
  std::string kernel;
  std::function<void(Input& input, bool fixed, Random& random)> prepare;
  std::function<void(Input& input)> run;
  bool leaks = false;  // a control, which must be found to leak
};

/// Keeps the compiler from leaving out what made `object`.
template <class T>
void keep(const T& object) noexcept {
  __asm__ volatile("" : : "r"(&object) : "memory");
}

// Each appends its cases, one for each kernel.
void add_curves(std::vector<Case>& cases);
void add_ciphers(std::vector<Case>& cases);
void add_controls(std::vector<Case>& cases);

}  // namespace signet::dudect
