// The AEADs of TLS (RFC 5116, 8439): one expanded key type for all three.
//
// Overlap: `dst == src`, or `dst < src` in the same buffer, or disjoint. A store to dst[i..j) happens only
// after all of src[0..j) was loaded, and stores ascend; so a record can be opened in place, moved down, or
// elsewhere.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto {

enum class AeadId : std::uint8_t { aes_128_gcm, aes_256_gcm, chacha20_poly1305 };

constexpr std::size_t aead_tag_bytes = 16;
constexpr std::size_t aead_nonce_bytes = 12;
constexpr std::size_t max_aead_key_bytes = 32;

constexpr std::size_t aead_key_bytes(AeadId id) noexcept { return id == AeadId::aes_128_gcm ? 16 : 32; }

struct AeadKernel;

/// The kernels of `id` that this processor can run, the one that is used first. A name says what it runs on:
/// "aes-gcm-portable", "aes-gcm-aesni", "chacha20-poly1305-portable", ... The list is made at the first call,
/// so features must be denied before it.
[[nodiscard]] std::span<const AeadKernel* const> aead_kernels(AeadId id) noexcept;
[[nodiscard]] std::string_view aead_kernel_name(const AeadKernel& kernel) noexcept;

/// An expanded key (round keys, hash powers). Holds a secret: wipe() when done. Everything below is constant
/// time in key and data, except that the lengths show.
class AeadKey {
 public:
  /// Empty; only init() may follow. Leaves the storage as it is: a cache of keys is not written before it is
  /// used.
  AeadKey() noexcept {}
  /// `key` has aead_key_bytes(id) octets. The second form is for tests, which run every kernel.
  void init(AeadId id, base::Bytes key) noexcept;
  void init(AeadId id, base::Bytes key, const AeadKernel& kernel) noexcept;

  /// Encrypts `src` followed by `tail` (at most 16 octets; TLS 1.3's inner type) to `dst`, which gets
  /// src.size() + tail.size() octets, and writes the tag. The overlap contract above holds between src and
  /// dst; `tail` is copied first. `tag` may be dst + src.size() + tail.size(), or anywhere disjoint.
  void seal(std::uint8_t* dst, std::uint8_t* tag, std::span<const std::uint8_t, aead_nonce_bytes> nonce,
            base::Bytes aad, base::Bytes src, base::Bytes tail) const noexcept;

  /// Decrypts `src` (without its tag) to `dst`. `tag` lies behind src or anywhere else that dst does not
  /// reach, and `aad` must not be overwritten by dst either. False when the tag is wrong: what was written is
  /// then wiped.
  [[nodiscard]] bool open(std::uint8_t* dst, std::span<const std::uint8_t, aead_nonce_bytes> nonce,
                          base::Bytes aad, base::Bytes src, const std::uint8_t* tag) const noexcept;
  void wipe() noexcept;
  [[nodiscard]] const AeadKernel& kernel() const noexcept { return *kernel_; }

 private:
  // Ten cache lines: sixteen hash powers with the sums of their halves, fifteen round keys, and whose layout
  // it is.
  static constexpr std::size_t storage_bytes = 632;
  alignas(64) std::uint8_t expanded_[storage_bytes];
  const AeadKernel* kernel_;
};
static_assert(sizeof(AeadKey) == 640 && std::is_trivially_copyable_v<AeadKey>);

}  // namespace signet::crypto
