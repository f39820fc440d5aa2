// ECDSA on P-256 (FIPS 186-5 section 6) with the nonces of RFC 6979.
#include <new>

#include <signet/crypto/hmac.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/crypto/p256_scalar.hpp>

namespace signet::crypto {
namespace {

using p256::Fe;
using p256::Jacobian;
using p256::Kernel;
using p256::Scalar;

const Kernel& first_kernel() noexcept { return *p256::kernels().front(); }

// RFC 6979 section 3.2, steps b to h, with section 3.6's additional data.
class NonceGenerator {
 public:
  NonceGenerator(base::Bytes key, const Scalar& digest, base::Bytes fresh) noexcept {
    constexpr std::uint8_t zeros[32] = {};
    std::uint8_t digest_octets[32];
    p256::store_be(digest_octets, digest.w);
    std::memset(v_, 1, sizeof v_);
    key_ = HmacKey(HashId::sha256, zeros);
    absorb(0, key, digest_octets, fresh);
    absorb(1, key, digest_octets, fresh);
  }
  ~NonceGenerator() {
    key_.wipe();
    base::wipe(v_);
  }
  NonceGenerator(const NonceGenerator&) = delete;
  NonceGenerator& operator=(const NonceGenerator&) = delete;

  /// The next candidate; it may be out of range.
  void next(Scalar& k) noexcept {
    if (was_used_) absorb(0, {}, {}, {});
    was_used_ = true;
    step();
    p256::load_be(k.w, v_);
  }

 private:
  // K = HMAC_K(V || separator || key || digest || fresh), V = HMAC_K(V).
  void absorb(std::uint8_t separator, base::Bytes key, base::Bytes digest, base::Bytes fresh) noexcept {
    std::uint8_t next_key[32];
    Hmac mac(key_);
    mac.update(v_);
    mac.update({&separator, 1});
    mac.update(key);
    mac.update(digest);
    mac.update(fresh);
    mac.finish(next_key);
    key_.wipe();
    new (&key_) HmacKey(HashId::sha256, next_key);  // in its place: a temporary would stay behind
    base::wipe(next_key);
    step();
  }

  void step() noexcept {
    Hmac mac(key_);
    mac.update(v_);
    mac.finish(v_);
  }

  HmacKey key_;
  std::uint8_t v_[32];
  bool was_used_ = false;
};

// r = (k * G).x mod n. The x coordinate leaves Montgomery form first; it is below 2n.
Scalar signature_r(const Scalar& k, const Kernel& kernel) noexcept {
  constexpr Fe plain_one = {{1, 0, 0, 0}};
  p256::Affine point;
  kernel.mul_base(point, k);
  kernel.mul(point.x, point.x, plain_one);
  const Scalar x = {{point.x.w[0], point.x.w[1], point.x.w[2], point.x.w[3]}};
  base::wipe_object(point);
  return p256::reduce_once(x);
}

// s = (digest + r * d) / k mod n.
Scalar signature_s(const Scalar& k, const Scalar& r, const Scalar& d, const Scalar& digest) noexcept {
  Scalar product = p256::mul(r, d);  // r is public: this is as good as the key
  Scalar sum = p256::add(digest, product);
  Scalar inverse = p256::invert(k);
  const Scalar s = p256::mul(inverse, sum);
  base::wipe_object(product);
  base::wipe_object(sum);
  base::wipe_object(inverse);
  return s;
}

// Whether `sum` has x coordinate r modulo n. X = r Z^2 or X = (r + n) Z^2, so that no inversion is needed.
bool has_x_vartime(const Jacobian& sum, const Scalar& r, const Kernel& f) noexcept {
  if (p256::is_zero(sum.z.w).bit() != 0) return false;
  Fe zz;
  f.sqr(zz, sum.z);
  const auto matches = [&](const std::uint64_t candidate[4]) {
    Fe x = {{candidate[0], candidate[1], candidate[2], candidate[3]}};
    f.mul(x, x, p256::montgomery_r_squared);
    f.mul(x, x, zz);
    return std::memcmp(&x, &sum.x, sizeof x) == 0;
  };
  if (matches(r.w)) return true;
  if (p256::is_below(r.w, p256::prime_minus_order).bit() == 0) return false;
  std::uint64_t plus_order[4];
  unsigned __int128 carry = 0;
  for (int i = 0; i < 4; i++) {
    carry += static_cast<unsigned __int128>(r.w[i]) + p256::group_order.w[i];
    plus_order[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return matches(plus_order);
}

// The two scalars of FIPS 186-5 section 6.4.2: the sum is u * G + v * (the key's point).
struct VerifyScalars {
  Scalar r, u, v;
};

std::optional<VerifyScalars> verify_scalars_vartime(base::Bytes digest,
                                                    const EcdsaSignature& signature) noexcept {
  Scalar r;
  Scalar s;
  p256::load_be(r.w, signature.r);
  p256::load_be(s.w, signature.s);
  if ((p256::is_valid_scalar(r) & p256::is_valid_scalar(s)).bit() == 0) return std::nullopt;
  const Scalar inverse = p256::invert(s);
  return VerifyScalars{r, p256::mul(inverse, p256::from_digest(digest)), p256::mul(inverse, r)};
}

}  // namespace

void p256_sign(EcdsaSignature& signature, const P256PrivateKey& key, base::Bytes digest,
               base::Bytes fresh) noexcept {
  p256_sign(signature, key, digest, fresh, first_kernel());
}

void p256_sign(EcdsaSignature& signature, const P256PrivateKey& key, base::Bytes digest, base::Bytes fresh,
               const Kernel& kernel) noexcept {
  const Scalar e = p256::from_digest(digest);
  Scalar d;
  Scalar k;
  p256::load_be(d.w, key.scalar().data());
  NonceGenerator nonces(key.scalar(), e, fresh);
  bool done = false;
  while (!done) {
    nonces.next(k);
    if (p256::is_valid_scalar(k).bit() == 0) continue;  // RFC 6979 section 3.2, step h.3
    const Scalar r = signature_r(k, kernel);
    const Scalar s = signature_s(k, r, d, e);
    p256::store_be(signature.r, r.w);
    p256::store_be(signature.s, s.w);
    done = (p256::is_zero(r.w) | p256::is_zero(s.w)).bit() == 0;
  }
  base::wipe_object(d);
  base::wipe_object(k);
}

bool p256_verify_vartime(const P256PublicKey& key, base::Bytes digest,
                         const EcdsaSignature& signature) noexcept {
  return p256_verify_vartime(key, digest, signature, first_kernel());
}

bool p256_verify_vartime(const P256PublicKey& key, base::Bytes digest, const EcdsaSignature& signature,
                         const Kernel& kernel) noexcept {
  const auto scalars = verify_scalars_vartime(digest, signature);
  if (!scalars) return false;
  Jacobian sum;
  kernel.mul_add_vartime(sum, scalars->u, scalars->v, key.point);
  return has_x_vartime(sum, scalars->r, kernel);
}

P256VerifyTable::P256VerifyTable(const P256PublicKey& key) noexcept : P256VerifyTable(key, first_kernel()) {}

P256VerifyTable::P256VerifyTable(const P256PublicKey& key, const Kernel& kernel) noexcept : kernel_(&kernel) {
  kernel.build_table_vartime(multiples_, key.point);
}

bool P256VerifyTable::verify_vartime(base::Bytes digest, const EcdsaSignature& signature) const noexcept {
  const auto scalars = verify_scalars_vartime(digest, signature);
  if (!scalars) return false;
  Jacobian sum;
  kernel_->mul_add_table_vartime(sum, scalars->u, scalars->v, multiples_);
  return has_x_vartime(sum, scalars->r, *kernel_);
}

}  // namespace signet::crypto
