#include <signet/tls/messages/client_hello.hpp>

namespace signet::tls {
namespace {

// What comes before the extensions.
bool read_fields(ClientHello& hello, Reader& reader) noexcept {
  hello.legacy_version = static_cast<ProtocolVersion>(reader.u16());
  hello.random = reader.bytes(32);
  hello.session_id = reader.vector8();
  hello.cipher_suites = WordList<CipherSuite>(reader.vector16());
  hello.compression_methods = reader.vector8();
  const base::Bytes suites = hello.cipher_suites.encoded();
  return reader.ok() && hello.session_id.size() <= 32 && !suites.empty() && suites.size() % 2 == 0 &&
         !hello.compression_methods.empty();
}

bool only_null_compression(const ClientHello& hello) noexcept {
  return hello.compression_methods.size() == 1 && hello.compression_methods[0] == 0;
}

}  // namespace

base::Result<ClientHello, Failure> ClientHello::parse(base::Bytes body) noexcept {
  ClientHello hello;
  Reader reader(body);
  if (!read_fields(hello, reader)) return Failure(Reason::message_malformed);
  hello.has_extensions = !reader.empty();
  if (!hello.has_extensions) return hello;

  const base::Bytes list = reader.vector16();
  if (!reader.ok()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  const auto extensions = Extensions::parse(list, ExtensionPlace::client_hello);
  if (!extensions) return extensions.error();
  hello.extensions = *extensions;
  if (hello.offers(ProtocolVersion::tls13) && !only_null_compression(hello)) {
    return Failure(Reason::compression_offered);
  }
  return hello;
}

void ClientHello::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.u16(static_cast<std::uint16_t>(legacy_version));
  writer.bytes(random);
  writer.vector8(session_id);
  {
    const Writer::Scope suites = writer.open16();
    for (const CipherSuite suite : cipher_suites) writer.u16(static_cast<std::uint16_t>(suite));
  }
  writer.vector8(compression_methods);
  if (has_extensions) extensions.write(writer, ExtensionPlace::client_hello);
}

base::Bytes without_binders(base::Bytes message, const ClientHello& hello) noexcept {
  const std::size_t list_bytes = 2 + hello.extensions.psk_binders.encoded().size();
  return message.first(message.size() - list_bytes);
}

}  // namespace signet::tls
