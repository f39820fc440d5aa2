// X25519 on limbs of 51 bits and 128-bit products, for every processor. Constant time.
#include <signet/crypto/kernels/portable/field25519_portable.hpp>
#include <signet/crypto/kernels/x25519_multiply.hpp>

namespace signet::crypto::c25519 {

constinit const Kernel portable_kernel = make_kernel<FieldPortable>();

}  // namespace signet::crypto::c25519
