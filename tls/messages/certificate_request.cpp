#include <signet/tls/messages/certificate_request.hpp>

namespace signet::tls {

base::Result<CertificateRequest, Failure> CertificateRequest::parse(base::Bytes body) noexcept {
  Reader reader(body);
  const base::Bytes context = reader.vector8();
  const base::Bytes list = reader.vector16();
  if (!reader.ok()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  const auto extensions = Extensions::parse(list, ExtensionPlace::certificate_request);
  if (!extensions) return extensions.error();
  if (!extensions->has(ExtensionId::signature_algorithms))
    return Failure(Reason::signature_algorithms_missing);
  return CertificateRequest{context, *extensions};
}

void CertificateRequest::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.vector8(request_context);
  extensions.write(writer, ExtensionPlace::certificate_request);
}

}  // namespace signet::tls
