// The server's identity: from files, or made for development.
#pragma once

#include <memory>
#include <string>

#include <signet/base/result.hpp>
#include <signet/tls/identity.hpp>

namespace signet::server {

/// Reads both files; "FILE:LINE: reason" when they do not make an identity.
[[nodiscard]] base::Result<std::shared_ptr<const tls::Identity>, std::string> load_identity(
    const std::string& cert, const std::string& key);

struct DevelopmentIdentity {
  std::shared_ptr<const tls::Identity> identity;
  std::string sha256;  // of the certificate, as browsers show it: "AB:CD:..."
};

[[nodiscard]] base::Result<DevelopmentIdentity, std::string> make_development_identity();

}  // namespace signet::server
