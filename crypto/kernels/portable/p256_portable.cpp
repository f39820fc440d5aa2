// P-256 on 64-bit words and 128-bit products, for every processor. Constant time but for what says _vartime.
#include <signet/crypto/kernels/p256_multiply.hpp>
#include <signet/crypto/kernels/portable/p256_field_portable.hpp>

namespace signet::crypto::p256 {

constinit const Kernel portable_kernel = make_kernel<FieldPortable>();

}  // namespace signet::crypto::p256
