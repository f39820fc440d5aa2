// Parses one handshake message, whatever it is, and writes it again.
#pragma once

#include <string>

#include <signet/crypto/hash.hpp>
#include <signet/tls/failure.hpp>

namespace signet::test {

/// `body` of a message of type `type`: none when it parses, else the reason. When it parses, `written` is
/// what its writer makes of it, header included.
[[nodiscard]] tls::Reason parse_and_write(std::string& written, unsigned type, base::Bytes body,
                                          crypto::HashId hash);

/// Empty when `message`, header included, parses and is written back to the same octets; else what went
/// wrong.
[[nodiscard]] std::string round_trip(base::Bytes message, crypto::HashId hash);

}  // namespace signet::test
