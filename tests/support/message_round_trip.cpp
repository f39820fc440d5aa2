#include <signet/tests/support/message_round_trip.hpp>
#include <signet/tls/messages/certificate.hpp>
#include <signet/tls/messages/certificate_request.hpp>
#include <signet/tls/messages/certificate_verify.hpp>
#include <signet/tls/messages/client_hello.hpp>
#include <signet/tls/messages/encrypted_extensions.hpp>
#include <signet/tls/messages/end_of_early_data.hpp>
#include <signet/tls/messages/finished.hpp>
#include <signet/tls/messages/key_update.hpp>
#include <signet/tls/messages/new_session_ticket.hpp>
#include <signet/tls/messages/server_hello.hpp>

namespace signet::test {
namespace {

using namespace tls;

template <class Message>
Reason write_again(std::string& written, const base::Result<Message, Failure>& message, std::size_t bytes) {
  if (!message) return message.error().reason;
  written.assign(handshake_header_bytes + bytes, '\0');
  Writer writer({reinterpret_cast<std::uint8_t*>(written.data()), written.size()});
  message->write(writer);
  if (!writer.ok()) written = "too long";
  written.resize(writer.ok() ? writer.size() : written.size());
  return Reason::none;
}

}  // namespace

Reason parse_and_write(std::string& written, unsigned type, base::Bytes body, crypto::HashId hash) {
  const auto again = [&](const auto& message) { return write_again(written, message, body.size()); };
  switch (static_cast<HandshakeType>(type)) {
    case HandshakeType::client_hello:
      return again(ClientHello::parse(body));
    case HandshakeType::server_hello:
      return again(ServerHello::parse(body));
    case HandshakeType::new_session_ticket:
      return again(NewSessionTicket::parse(body));
    case HandshakeType::end_of_early_data:
      return again(EndOfEarlyData::parse(body));
    case HandshakeType::encrypted_extensions:
      return again(EncryptedExtensions::parse(body));
    case HandshakeType::certificate:
      return again(CertificateMessage::parse(body));
    case HandshakeType::certificate_request:
      return again(CertificateRequest::parse(body));
    case HandshakeType::certificate_verify:
      return again(CertificateVerify::parse(body));
    case HandshakeType::finished:
      return again(Finished::parse(body, hash));
    case HandshakeType::key_update:
      return again(KeyUpdate::parse(body));
    case HandshakeType::message_hash:
      break;
  }
  return Reason::message_type_unknown;
}

std::string round_trip(base::Bytes message, crypto::HashId hash) {
  const auto header = HandshakeHeader::peek(message);
  if (!header || header->message_bytes() != message.size()) return "not one message";
  std::string written;
  const base::Bytes body = message.subspan(handshake_header_bytes);
  const Reason reason = parse_and_write(written, static_cast<unsigned>(header->type), body, hash);
  if (reason != Reason::none) return std::string(name_of(reason));
  return written == base::as_text(message) ? "" : "written back to other octets";
}

}  // namespace signet::test
