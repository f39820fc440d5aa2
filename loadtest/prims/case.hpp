// One row of the table: an operation of ours, libcrypto's beside it, and the proof that both do the same
// work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace signet::prims {

using Octets = std::vector<std::uint8_t>;

/// Does its operation `count` times.
using Batch = std::function<void(std::size_t count)>;

/// The loop stands around the operation itself, so that a call through a pointer is paid once a batch.
template <class Operation>
[[nodiscard]] Batch batch(Operation operation) {
  return [operation = std::move(operation)](std::size_t count) mutable {
    for (std::size_t i = 0; i < count; i++) operation();
  };
}

struct Case {
  std::string name;
  /// Of one message; 0 where there is none.
  std::size_t bytes = 0;
  std::string_view kernel;
  /// Whether `kernel` is the one that servers run here; bars are for that one.
  bool is_first = true;
  /// What stands beside it in libcrypto, where that is other work; empty where it is the same.
  std::string_view peer;
  Batch ours;
  /// Empty where there is nothing to compare with.
  Batch openssl;
  /// Whether both sides give the same result. Asked once, before anything is timed.
  std::function<bool()> agrees;
};

struct Selection {
  bool every_kernel;
};

using Cases = std::vector<Case>;

/// The kernels of a list that the selection wants: the first, or all.
template <class Kernel>
[[nodiscard]] std::span<const Kernel* const> chosen(std::span<const Kernel* const> kernels,
                                                    Selection selection) {
  return selection.every_kernel ? kernels : kernels.first(1);
}

/// The sizes at which AEADs and hashes are measured: a small record, a head, a packet's worth, a page, a full
/// record.
inline constexpr std::size_t message_sizes[] = {64, 256, 1'350, 4'096, 16'384};

/// Octets that are neither all the same nor secret; another `seed` makes other ones.
[[nodiscard]] Octets pattern(std::size_t bytes, std::uint8_t seed);

void add_aead_cases(Cases& cases, Selection selection);
void add_hash_cases(Cases& cases, Selection selection);
/// HMAC and HKDF run on the first kernel of their hash alone: a prepared key does not carry another.
void add_mac_cases(Cases& cases);
void add_x25519_cases(Cases& cases, Selection selection);
void add_p256_cases(Cases& cases, Selection selection);

}  // namespace signet::prims
