#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/param_build.h>

#include <signet/loadtest/prims/p256_openssl.hpp>

namespace signet::prims {
namespace {

using Number = std::unique_ptr<BIGNUM, Release<BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Release<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Release<OSSL_PARAM_free>>;
using Group = std::unique_ptr<EC_GROUP, Release<EC_GROUP_free>>;
using Point = std::unique_ptr<EC_POINT, Release<EC_POINT_free>>;

constexpr std::size_t max_der_bytes = 72;

Number number(std::span<const std::uint8_t, 32> octets) {
  return Number(BN_bin2bn(octets.data(), static_cast<int>(octets.size()), nullptr));
}

/// A private key, or the public one alone when `scalar` is null.
Pkey import_key(const BIGNUM* scalar, const Octets& point) {
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

}  // namespace

OpensslP256::OpensslP256(std::span<const std::uint8_t, 32> scalar, const Octets& point,
                         const Octets& peer_point)
    : key_(import_key(number(scalar).get(), point)),
      peer_(import_key(nullptr, peer_point)),
      signer_(EVP_PKEY_CTX_new(key_.get(), nullptr)),
      verifier_(EVP_PKEY_CTX_new(key_.get(), nullptr)),
      deriver_(derive_context(key_.get(), peer_.get())),
      generator_(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr)) {
  require(EVP_PKEY_sign_init(signer_.get()) == 1 && EVP_PKEY_verify_init(verifier_.get()) == 1 &&
              EVP_PKEY_keygen_init(generator_.get()) == 1 &&
              EVP_PKEY_CTX_set_group_name(generator_.get(), "prime256v1") == 1,
          "P-256 contexts");
}

const Octets& OpensslP256::sign(const Octets& digest) {
  der_.resize(max_der_bytes);
  std::size_t bytes = der_.size();
  require(EVP_PKEY_sign(signer_.get(), der_.data(), &bytes, digest.data(), digest.size()) == 1, "sign");
  der_.resize(bytes);
  return der_;
}

bool OpensslP256::verify(const Octets& der, const Octets& digest) {
  return EVP_PKEY_verify(verifier_.get(), der.data(), der.size(), digest.data(), digest.size()) == 1;
}

void OpensslP256::key_pair() {
  EVP_PKEY* made = nullptr;
  require(EVP_PKEY_generate(generator_.get(), &made) == 1, "key pair");
  EVP_PKEY_free(made);
}

bool OpensslP256::is_pair(std::span<const std::uint8_t, 32> scalar, const Octets& point) {
  const Group group(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  const Point product(EC_POINT_new(group.get()));
  Octets expected(point.size());
  require(EC_POINT_mul(group.get(), product.get(), number(scalar).get(), nullptr, nullptr, nullptr) == 1 &&
              EC_POINT_point2oct(group.get(), product.get(), POINT_CONVERSION_UNCOMPRESSED, expected.data(),
                                 expected.size(), nullptr) == expected.size(),
          "P-256 point");
  return expected == point;
}

}  // namespace signet::prims
