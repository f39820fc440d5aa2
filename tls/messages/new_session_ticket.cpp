#include <signet/tls/messages/new_session_ticket.hpp>

namespace signet::tls {

base::Result<NewSessionTicket, Failure> NewSessionTicket::parse(base::Bytes body) noexcept {
  NewSessionTicket ticket;
  Reader reader(body);
  ticket.lifetime_seconds = reader.u32();
  ticket.age_add = reader.u32();
  ticket.nonce = reader.vector8();
  ticket.ticket = reader.vector16();
  const base::Bytes list = reader.vector16();
  if (!reader.ok() || ticket.ticket.empty()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  const auto extensions = Extensions::parse(list, ExtensionPlace::new_session_ticket);
  if (!extensions) return extensions.error();
  ticket.extensions = *extensions;
  return ticket;
}

void NewSessionTicket::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.u32(lifetime_seconds);
  writer.u32(age_add);
  writer.vector8(nonce);
  writer.vector16(ticket);
  extensions.write(writer, ExtensionPlace::new_session_ticket);
}

}  // namespace signet::tls
