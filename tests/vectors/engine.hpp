// Octets of a client, whatever they are, into a server's engine.
#pragma once

#include <signet/tests/vectors/json.hpp>
#include <signet/tls/failure.hpp>

namespace signet::vectors {

struct EngineAnswer {
  tls::Reason reason = tls::Reason::none;  // why it failed; none: it waits for more, or served what came
  std::size_t sent_bytes = 0;
  std::size_t residue = 0;  // secret or plaintext octets left where none should be
};

/// A new connection gets all of `octets`, in pieces of `piece` octets (0: at once).
[[nodiscard]] EngineAnswer ask_engine(const Octets& octets, std::size_t piece);

/// The same for one handshake message's body, in a record of its own.
[[nodiscard]] EngineAnswer ask_engine_message(std::uint8_t type, const Octets& body);

}  // namespace signet::vectors
