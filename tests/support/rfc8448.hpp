// RFC 8448's traces: what they say, and a replay that derives all of it again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signet::test {

/// One published value.
struct TraceField {
  std::string name;
  std::vector<std::uint8_t> octets;
};

/// One step of an endpoint, "{client} construct a ClientHello handshake message", with its values.
struct TraceStep {
  std::string actor;
  std::string title;
  std::vector<TraceField> fields;
  /// For a protected record: its key and number.
  std::vector<std::uint8_t> record_key;
  std::uint64_t record_number = 0;

  [[nodiscard]] const std::vector<std::uint8_t>* find(std::string_view name) const;
};

struct Trace {
  std::string title;
  std::vector<TraceStep> steps;
};

struct Replay {
  std::size_t compared = 0;  ///< published values that were derived again and are the same
  std::size_t steps =
      0;  ///< steps that were replayed; those that only repeat another one's values are left out
  std::vector<std::string> failures;
  std::vector<std::uint8_t> psk;         ///< what the early secret was made from, where it is not zeros
  std::vector<std::uint8_t> ticket_psk;  ///< the PSK of the ticket that was sent
};

/// Goes through the steps in order: both endpoints' secrets by tls/key_schedule.hpp, key exchanges, messages
/// parsed and written, Finished and binders, records sealed and opened. From the trace are taken: key pairs,
/// randoms, Certificate, CertificateVerify, ticket, cookie, application data. A step that is not understood
/// is a failure.
[[nodiscard]] Replay replay(const Trace& trace);

/// Section 3, which is kept in the tree.
[[nodiscard]] Trace simple_handshake_trace();
/// All sections of a vectors file; nothing when it cannot be read.
[[nodiscard]] std::optional<std::vector<Trace>> load_rfc8448(const std::string& path);

}  // namespace signet::test
