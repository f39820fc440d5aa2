// libcrypto's P-256, its contexts prepared as its fastest users do.
#pragma once

#include <cstdint>
#include <span>

#include <signet/loadtest/prims/case.hpp>
#include <signet/loadtest/prims/openssl.hpp>

namespace signet::prims {

class OpensslP256 {
 public:
  /// `scalar` big-endian; points in the uncompressed form, the first of them the scalar's.
  OpensslP256(std::span<const std::uint8_t, 32> scalar, const Octets& point, const Octets& peer_point);

  /// A signature as DER; good until the next call.
  const Octets& sign(const Octets& digest);
  [[nodiscard]] bool verify(const Octets& der, const Octets& digest);
  void ecdh(std::uint8_t shared[32]) { derive(deriver_.get(), shared); }
  void key_pair();

  /// Whether `point` is the scalar's.
  [[nodiscard]] static bool is_pair(std::span<const std::uint8_t, 32> scalar, const Octets& point);

 private:
  Pkey key_, peer_;
  PkeyContext signer_, verifier_, deriver_, generator_;
  Octets der_;
};

}  // namespace signet::prims
