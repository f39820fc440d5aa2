// One file's AEAD cases on every kernel in every way, and the count that proves it.
#pragma once

#include <signet/tests/support/aead_ways.hpp>
#include <signet/tests/vectors/report.hpp>

namespace signet::vectors {

struct AeadJob {
  test::AeadCase values;
  bool genuine;  // else opening must be refused
  bool seals;    // the plaintext is known: sealing it must give ciphertext and tag
};

class AeadRuns {
 public:
  void add(Case& one, crypto::AeadId id, AeadJob job);
  /// Notes kernels x ways x cases; fails the file when runs are missing, or when the altered kernel was not
  /// caught.
  void finish(Report& report) const;

 private:
  struct Tally {
    std::size_t cases = 0;
    std::size_t runs = 0;
    std::size_t altered = 0;  // runs of a kernel that stores ahead, where that must show
    std::size_t caught = 0;
  };
  Tally tallies_[3];  // by AeadId
};

}  // namespace signet::vectors
