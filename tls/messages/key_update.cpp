#include <signet/tls/messages/key_update.hpp>

namespace signet::tls {

base::Result<KeyUpdate, Failure> KeyUpdate::parse(base::Bytes body) noexcept {
  Reader reader(body);
  const std::uint8_t request = reader.u8();
  if (!reader.ok()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  if (request > 1) return Failure(Reason::key_update_malformed);
  return KeyUpdate{request == 1};
}

void KeyUpdate::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.u8(update_requested ? 1 : 0);
}

}  // namespace signet::tls
