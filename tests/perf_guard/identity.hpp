// Who the server is in this program: one P-256 certificate from the tests' own, so that every run signs
// alike.
#pragma once

#include <signet/tests/support/test_identity.hpp>
#include <signet/tls/identity.hpp>

namespace signet::counted {

constexpr std::string_view host = "example.test";

[[nodiscard]] inline std::shared_ptr<const tls::Identity> identity() {
  const auto loaded = tls::Identity::load(base::as_bytes(test_identity::leaf_certificate),
                                          base::as_bytes(test_identity::leaf_key_sec1), test_identity::now);
  return loaded.ok() ? *loaded : nullptr;
}

}  // namespace signet::counted
