// Secrets marked for valgrind's memcheck, which follows every bit of them and reports each jump and each
// address that depends on one. Marked is what memcheck calls undefined.
#pragma once

#include <string_view>

#include <signet/base/bytes.hpp>

namespace signet::secrets {

/// From here on `bytes` are secret, and so is all that is computed from them.
void mark_secret(base::MutBytes bytes) noexcept;

/// From here on `bytes` are public, for this reason, which is printed. Ends the program when they were public
/// already: then the marks were lost on the way, and nothing was checked.
void reveal_bytes(base::MutBytes bytes, std::string_view reason);

template <class T>
void reveal(T& object, std::string_view reason) {
  static_assert(std::is_trivially_copyable_v<T>);
  reveal_bytes({reinterpret_cast<std::uint8_t*>(&object), sizeof object}, reason);
}

/// Ends the program with an error: the work did not do what it is for.
void require(bool did_it, std::string_view what);

/// Names what runs from here on.
void begin(std::string_view work, std::string_view kernel);

/// `count` octets that are secret, the same in every run, below the order of P-256 when taken as a number.
template <std::size_t count>
struct Secret {
  std::uint8_t octets[count];

  explicit Secret(unsigned seed) noexcept {
    for (std::size_t i = 0; i < count; i++) {
      octets[i] = static_cast<std::uint8_t>((i + seed) * 131 + (i * i >> 3) + 7);
    }
    octets[0] = static_cast<std::uint8_t>(octets[0] & 0x7f);
    mark_secret(octets);
  }
};

// The work, a file for each kind. Each runs every kernel of the lists.
void run_curves();
void run_ciphers();
void run_hashes();
void run_private_keys();

/// Leaks of one kind each, which memcheck must report; false when there is none of that name.
[[nodiscard]] bool run_control(std::string_view name);

}  // namespace signet::secrets
