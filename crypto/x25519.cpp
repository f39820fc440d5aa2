#include <signet/crypto/ct.hpp>
#include <signet/crypto/x25519.hpp>

namespace signet::crypto {
namespace {

using c25519::Kernel;
using c25519::Words;

const Kernel& first_kernel() noexcept { return *c25519::kernels().front(); }

void load_le(Words& r, const std::uint8_t* octets) noexcept {
  for (int i = 0; i < 4; i++) r.w[i] = __builtin_bswap64(base::load_be64(octets + 8 * i));
}

void store_le(std::uint8_t* octets, const Words& a) noexcept {
  for (int i = 0; i < 4; i++) base::store_be64(octets + 8 * i, __builtin_bswap64(a.w[i]));
}

// RFC 7748 section 5: a multiple of 8 with bit 254 the highest.
void load_clamped(Words& r, std::span<const std::uint8_t, 32> secret) noexcept {
  load_le(r, secret.data());
  r.w[0] &= ~std::uint64_t{7};
  r.w[3] = (r.w[3] & 0x7fffffffffffffff) | 0x4000000000000000;
}

}  // namespace

void x25519_public_key(std::span<std::uint8_t, 32> public_key,
                       std::span<const std::uint8_t, 32> secret) noexcept {
  x25519_public_key(public_key, secret, first_kernel());
}

void x25519_public_key(std::span<std::uint8_t, 32> public_key, std::span<const std::uint8_t, 32> secret,
                       const Kernel& kernel) noexcept {
  Words scalar;
  Words u;
  load_clamped(scalar, secret);
  kernel.mul_base(u, scalar);
  store_le(public_key.data(), u);
  base::wipe_object(scalar);
}

bool x25519(std::span<std::uint8_t, 32> shared, std::span<const std::uint8_t, 32> secret,
            std::span<const std::uint8_t, 32> peer) noexcept {
  return x25519(shared, secret, peer, first_kernel());
}

bool x25519(std::span<std::uint8_t, 32> shared, std::span<const std::uint8_t, 32> secret,
            std::span<const std::uint8_t, 32> peer, const Kernel& kernel) noexcept {
  Words scalar;
  Words u;
  load_clamped(scalar, secret);
  load_le(u, peer.data());
  u.w[3] &= 0x7fffffffffffffff;  // RFC 7748 section 5: the highest bit is not looked at
  kernel.ladder(u, scalar, u);
  store_le(shared.data(), u);
  const bool usable = ct::Mask::is_zero(u.w[0] | u.w[1] | u.w[2] | u.w[3]).bit() == 0;
  base::wipe_object(scalar);
  base::wipe_object(u);
  return usable;
}

}  // namespace signet::crypto
