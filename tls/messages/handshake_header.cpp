#include <signet/tls/messages/handshake_header.hpp>

namespace signet::tls {

bool known(HandshakeType type) noexcept {
  return type != HandshakeType::message_hash && name_of(type) != "unknown";
}

std::string_view name_of(HandshakeType type) noexcept {
  switch (type) {
    case HandshakeType::client_hello:
      return "ClientHello";
    case HandshakeType::server_hello:
      return "ServerHello";
    case HandshakeType::new_session_ticket:
      return "NewSessionTicket";
    case HandshakeType::end_of_early_data:
      return "EndOfEarlyData";
    case HandshakeType::encrypted_extensions:
      return "EncryptedExtensions";
    case HandshakeType::certificate:
      return "Certificate";
    case HandshakeType::certificate_request:
      return "CertificateRequest";
    case HandshakeType::certificate_verify:
      return "CertificateVerify";
    case HandshakeType::finished:
      return "Finished";
    case HandshakeType::key_update:
      return "KeyUpdate";
    case HandshakeType::message_hash:
      return "message_hash";
  }
  return "unknown";
}

std::optional<HandshakeHeader> HandshakeHeader::peek(base::Bytes bytes) noexcept {
  if (bytes.size() < handshake_header_bytes) return std::nullopt;
  return HandshakeHeader{static_cast<HandshakeType>(bytes[0]), base::load_be24(&bytes[1])};
}

Writer::Scope open_message(Writer& writer, HandshakeType type) noexcept {
  writer.u8(static_cast<std::uint8_t>(type));
  return writer.open24();
}

}  // namespace signet::tls
