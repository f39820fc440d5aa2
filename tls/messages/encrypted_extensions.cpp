#include <signet/tls/messages/encrypted_extensions.hpp>

namespace signet::tls {

base::Result<EncryptedExtensions, Failure> EncryptedExtensions::parse(base::Bytes body) noexcept {
  Reader reader(body);
  const base::Bytes list = reader.vector16();
  if (!reader.ok()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  const auto extensions = Extensions::parse(list, ExtensionPlace::encrypted_extensions);
  if (!extensions) return extensions.error();
  return EncryptedExtensions{*extensions};
}

void EncryptedExtensions::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  extensions.write(writer, ExtensionPlace::encrypted_extensions);
}

}  // namespace signet::tls
