#include <signet/tls/messages/certificate.hpp>

namespace signet::tls {

CertificateEntry CertificateEntry::read(Reader& reader) noexcept {
  const base::Bytes certificate = reader.vector24();
  const List<RawExtension> extensions(reader.vector16());
  if (certificate.empty()) reader.fail();
  return {certificate, extensions};
}

void CertificateEntry::write(Writer& writer) const noexcept {
  writer.vector24(certificate);
  const Writer::Scope list = writer.open16();
  for (const RawExtension& extension : extensions) extension.write(writer);
}

base::Result<CertificateMessage, Failure> CertificateMessage::parse(base::Bytes body) noexcept {
  CertificateMessage message;
  Reader reader(body);
  message.request_context = reader.vector8();
  message.entries = List<CertificateEntry>(reader.vector24());
  if (!reader.ok() || !message.entries.well_formed()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  for (const CertificateEntry& entry : message.entries) {
    const auto extensions = Extensions::parse(entry.extensions.encoded(), ExtensionPlace::certificate);
    if (!extensions) return extensions.error();
  }
  return message;
}

void CertificateMessage::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.vector8(request_context);
  const Writer::Scope list = writer.open24();
  for (const CertificateEntry& entry : entries) entry.write(writer);
}

void write_certificate_message(Writer& writer, base::Bytes request_context,
                               std::span<const base::Bytes> certificates) noexcept {
  const Writer::Scope message = open_message(writer, CertificateMessage::type);
  writer.vector8(request_context);
  const Writer::Scope list = writer.open24();
  for (const base::Bytes certificate : certificates) CertificateEntry{certificate, {}}.write(writer);
}

}  // namespace signet::tls
