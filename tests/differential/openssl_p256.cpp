// libcrypto's P-256.
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/param_build.h>

#include <signet/tests/differential/openssl.hpp>

namespace signet::differential {
namespace {

using Point = std::unique_ptr<EC_POINT, Release<EC_POINT_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Release<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Release<OSSL_PARAM_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Release<ECDSA_SIG_free>>;

BigNumber number(const Octets& octets) {
  return BigNumber(BN_bin2bn(octets.data(), static_cast<int>(octets.size()), nullptr));
}

Pkey import_key(const Octets& point, const BIGNUM* scalar) {
  const Builder builder(OSSL_PARAM_BLD_new());
  require(
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
          OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                           point.size()) == 1 &&
          (scalar == nullptr || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1),
      "P-256 parameters");
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  const PkeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  EVP_PKEY* key = nullptr;
  require(EVP_PKEY_fromdata_init(context.get()) == 1 &&
              EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_KEYPAIR, parameters.get()) == 1,
          "P-256 key");
  return Pkey(key);
}

Octets der(const Octets& r, const Octets& s) {
  const Signature signature(ECDSA_SIG_new());
  require(ECDSA_SIG_set0(signature.get(), number(r).release(), number(s).release()) == 1, "ECDSA_SIG");
  unsigned char* made = nullptr;
  const int bytes = i2d_ECDSA_SIG(signature.get(), &made);
  require(bytes > 0, "i2d_ECDSA_SIG");
  Octets octets(made, made + bytes);
  OPENSSL_free(made);
  return octets;
}

}  // namespace

OpensslP256::OpensslP256()
    : group_(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)), context_(BN_CTX_new()) {}

Octets OpensslP256::octets(const EC_POINT* point) const {
  if (EC_POINT_is_at_infinity(group_.get(), point) == 1) return {};
  Octets octets(65);
  require(EC_POINT_point2oct(group_.get(), point, POINT_CONVERSION_UNCOMPRESSED, octets.data(), octets.size(),
                             context_.get()) == octets.size(),
          "EC_POINT_point2oct");
  return octets;
}

Octets OpensslP256::mul_add(const Octets& u, const Octets& v, const Octets& point) const {
  const Point q(EC_POINT_new(group_.get()));
  const Point sum(EC_POINT_new(group_.get()));
  require(EC_POINT_oct2point(group_.get(), q.get(), point.data(), point.size(), context_.get()) == 1 &&
              EC_POINT_mul(group_.get(), sum.get(), number(u).get(), q.get(), number(v).get(),
                           context_.get()) == 1,
          "EC_POINT_mul");
  return octets(sum.get());
}

Octets OpensslP256::mul_base(const Octets& k) const {
  const Point product(EC_POINT_new(group_.get()));
  require(EC_POINT_mul(group_.get(), product.get(), number(k).get(), nullptr, nullptr, context_.get()) == 1,
          "EC_POINT_mul");
  return octets(product.get());
}

bool OpensslP256::parses(const Octets& octets) const {
  const Point point(EC_POINT_new(group_.get()));
  const bool parsed =
      EC_POINT_oct2point(group_.get(), point.get(), octets.data(), octets.size(), context_.get()) == 1;
  ERR_clear_error();
  return parsed;
}

Octets OpensslP256::with_x(const Octets& x, bool odd_y) const {
  const Point point(EC_POINT_new(group_.get()));
  const bool found = EC_POINT_set_compressed_coordinates(group_.get(), point.get(), number(x).get(),
                                                         odd_y ? 1 : 0, context_.get()) == 1;
  ERR_clear_error();
  return found ? octets(point.get()) : Octets{};
}

OpensslP256Key::OpensslP256Key(const Octets& point, const Octets& scalar)
    : key_(import_key(point, scalar.empty() ? nullptr : number(scalar).get())),
      verifier_(EVP_PKEY_CTX_new(key_.get(), nullptr)) {
  require(EVP_PKEY_verify_init(verifier_.get()) == 1, "EVP_PKEY_verify_init");
}

bool OpensslP256Key::verify(const Octets& digest, const Octets& r, const Octets& s) const {
  const Octets signature = der(r, s);
  const bool right =
      EVP_PKEY_verify(verifier_.get(), signature.data(), signature.size(), digest.data(), digest.size()) == 1;
  ERR_clear_error();
  return right;
}

Octets OpensslP256Key::ecdh(const OpensslP256Key& peer) const {
  const PkeyContext context(EVP_PKEY_CTX_new(key_.get(), nullptr));
  Octets shared(32);
  std::size_t bytes = shared.size();
  require(EVP_PKEY_derive_init(context.get()) == 1 &&
              EVP_PKEY_derive_set_peer(context.get(), peer.key_.get()) == 1 &&
              EVP_PKEY_derive(context.get(), shared.data(), &bytes) == 1,
          "ECDH");
  return shared;
}

}  // namespace signet::differential
