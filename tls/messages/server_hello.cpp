#include <algorithm>

#include <signet/tls/messages/server_hello.hpp>

namespace signet::tls {

const std::array<std::uint8_t, 32> hello_retry_random = {
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
    0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};

namespace {

constexpr std::uint64_t downgrade_to_tls12 = 0x444f574e47524401;           // "DOWNGRD" and 1
constexpr std::uint64_t downgrade_to_tls11_or_below = 0x444f574e47524400;  // "DOWNGRD" and 0

Reason read_fields(ServerHello& hello, Reader& reader) noexcept {
  hello.legacy_version = static_cast<ProtocolVersion>(reader.u16());
  hello.random = reader.bytes(32);
  hello.session_id_echo = reader.vector8();
  hello.suite = static_cast<CipherSuite>(reader.u16());
  const std::uint8_t compression = reader.u8();
  if (!reader.ok() || hello.session_id_echo.size() > 32) return Reason::message_malformed;
  return compression == 0 ? Reason::none : Reason::server_compression_wrong;
}

ExtensionPlace place_of(const ServerHello& hello) noexcept {
  return hello.is_retry() ? ExtensionPlace::hello_retry_request : ExtensionPlace::server_hello;
}

}  // namespace

bool ServerHello::is_retry() const noexcept { return std::ranges::equal(random, hello_retry_random); }

Downgrade ServerHello::downgrade() const noexcept {
  if (random.size() != 32) return Downgrade::none;
  const std::uint64_t end = base::load_be64(&random[24]);
  if (end == downgrade_to_tls12) return Downgrade::to_tls12;
  return end == downgrade_to_tls11_or_below ? Downgrade::to_tls11_or_below : Downgrade::none;
}

base::Result<ServerHello, Failure> ServerHello::parse(base::Bytes body) noexcept {
  ServerHello hello;
  Reader reader(body);
  if (const Reason reason = read_fields(hello, reader); reason != Reason::none) return Failure(reason);
  hello.has_extensions = !reader.empty();
  if (!hello.has_extensions) return hello;

  const base::Bytes list = reader.vector16();
  if (!reader.ok()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  const auto extensions = Extensions::parse(list, place_of(hello));
  if (!extensions) return extensions.error();
  hello.extensions = *extensions;
  return hello;
}

void ServerHello::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.u16(static_cast<std::uint16_t>(legacy_version));
  writer.bytes(random);
  writer.vector8(session_id_echo);
  writer.u16(static_cast<std::uint16_t>(suite));
  writer.u8(0);
  if (has_extensions) extensions.write(writer, place_of(*this));
}

}  // namespace signet::tls
