// Points and key pairs of P-256, and ECDH.
#include <signet/crypto/p256.hpp>
#include <signet/crypto/p256_scalar.hpp>

namespace signet::crypto {
namespace {

using p256::Affine;
using p256::Fe;
using p256::Kernel;
using p256::Scalar;

constexpr Fe curve_b = {{0xd89cdf6229c4bddf, 0xacf005cd78843090, 0xe5a220abf7212ed6, 0xdc30061d04874834}};

const Kernel& first_kernel() noexcept { return *p256::kernels().front(); }

// y^2 = x^3 - 3x + b.
bool is_on_curve_vartime(const Affine& p, const Kernel& f) noexcept {
  Fe left;
  Fe right;
  f.sqr(left, p.y);
  f.sqr(right, p.x);
  for (int i = 0; i < 3; i++) f.sub(right, right, p256::one);
  f.mul(right, right, p.x);
  f.add(right, right, curve_b);
  return std::memcmp(&left, &right, sizeof left) == 0;
}

bool load_coordinate_vartime(Fe& r, const std::uint8_t* octets, const Kernel& f) noexcept {
  p256::load_be(r.w, octets);
  if (p256::is_below(r.w, p256::field_prime.w).bit() == 0) return false;
  f.mul(r, r, p256::montgomery_r_squared);
  return true;
}

// Out of Montgomery form.
void store_coordinate(std::uint8_t* octets, const Fe& a, const Kernel& f) noexcept {
  constexpr Fe plain_one = {{1, 0, 0, 0}};
  Fe plain;
  f.mul(plain, a, plain_one);
  p256::store_be(octets, plain.w);
  base::wipe_object(plain);
}

}  // namespace

std::optional<P256PublicKey> P256PublicKey::parse_vartime(base::Bytes point) noexcept {
  if (point.size() != p256_point_bytes || point[0] != 4) return std::nullopt;
  const Kernel& f = first_kernel();
  P256PublicKey key;
  if (!load_coordinate_vartime(key.point.x, point.data() + 1, f)) return std::nullopt;
  if (!load_coordinate_vartime(key.point.y, point.data() + 33, f)) return std::nullopt;
  if (!is_on_curve_vartime(key.point, f)) return std::nullopt;
  return key;
}

void P256PublicKey::write(std::span<std::uint8_t, p256_point_bytes> octets) const noexcept {
  octets[0] = 4;
  store_coordinate(octets.data() + 1, point.x, first_kernel());
  store_coordinate(octets.data() + 33, point.y, first_kernel());
}

std::optional<P256PrivateKey> P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32> scalar) noexcept {
  return from_scalar(scalar, first_kernel());
}

std::optional<P256PrivateKey> P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32> scalar,
                                                          const Kernel& kernel) noexcept {
  Scalar k;
  p256::load_be(k.w, scalar.data());
  std::optional<P256PrivateKey> key;
  if (p256::is_valid_scalar(k).bit() != 0) {
    key.emplace();
    std::memcpy(key->scalar_, scalar.data(), 32);
    kernel.mul_base(key->public_key_.point, k);
  }
  base::wipe_object(k);
  return key;
}

void p256_ecdh(std::span<std::uint8_t, 32> shared, const P256PrivateKey& key,
               const P256PublicKey& peer) noexcept {
  p256_ecdh(shared, key, peer, first_kernel());
}

void p256_ecdh(std::span<std::uint8_t, 32> shared, const P256PrivateKey& key, const P256PublicKey& peer,
               const Kernel& kernel) noexcept {
  Scalar k;
  Affine product;
  p256::load_be(k.w, key.scalar().data());
  kernel.mul_point(product, peer.point, k);
  store_coordinate(shared.data(), product.x, kernel);
  base::wipe_object(k);
  base::wipe_object(product);
}

}  // namespace signet::crypto
