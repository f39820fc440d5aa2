// One valid message of each type, made by the writers: what truncation and mutation tests start from.
#pragma once

#include <string>
#include <vector>

#include <signet/tls/messages/handshake_header.hpp>

namespace signet::test {

struct MessageSample {
  std::string name;
  std::vector<std::uint8_t> message;  // with its header

  [[nodiscard]] base::Bytes body() const { return base::Bytes(message).subspan(tls::handshake_header_bytes); }
  [[nodiscard]] unsigned type() const { return message[0]; }
};

/// Every message, and ClientHellos with every extension, unknown ones among them.
[[nodiscard]] std::vector<MessageSample> message_samples();

}  // namespace signet::test
