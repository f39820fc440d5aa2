// Leaks on purpose, one of each kind that memcheck must report, and one that it must not.
#include <algorithm>

#include "marks.hpp"

#include <signet/crypto/p256.hpp>

namespace signet::secrets {
namespace {

constexpr std::uint8_t public_octets[16] = {1, 2, 3};

std::uint8_t table[256] = {7};
volatile std::uint8_t sink;

// The comparison of a tag that stops at the first difference.
void branch_on_secret() {
  const Secret<16> tag(20);
  for (std::size_t i = 0; i < 16; i++) {
    if (tag.octets[i] != public_octets[i]) break;
    sink = static_cast<std::uint8_t>(i);
  }
}

// An S-box in a table.
void index_with_secret() {
  const Secret<1> index(21);
  sink = table[index.octets[0]];
}

// A function that says of itself that it is not constant time, given a secret.
void verify_secret_signature() {
  const auto key = crypto::P256PrivateKey::from_scalar(std::span<const std::uint8_t, 32>(table, 32));
  require(key.has_value(), "the control's key");
  crypto::EcdsaSignature signature;
  crypto::p256_sign(signature, *key, public_octets, {});
  mark_secret(signature.s);
  sink = crypto::p256_verify_vartime(key->public_key(), public_octets, signature);
}

// No leak: the same branch on what was revealed.
void branch_on_revealed() {
  Secret<16> tag(20);
  reveal(tag.octets, "this control shows that the others fail for nothing else");
  sink = std::equal(tag.octets, tag.octets + 16, public_octets);
}

}  // namespace

bool run_control(std::string_view name) {
  if (name == "branch") {
    branch_on_secret();
  } else if (name == "index") {
    index_with_secret();
  } else if (name == "vartime") {
    verify_secret_signature();
  } else if (name == "revealed") {
    branch_on_revealed();
  } else {
    return false;
  }
  return true;
}

}  // namespace signet::secrets
