#include <signet/tls/messages/certificate_verify.hpp>

namespace signet::tls {

base::Result<CertificateVerify, Failure> CertificateVerify::parse(base::Bytes body) noexcept {
  Reader reader(body);
  const auto scheme = static_cast<SignatureScheme>(reader.u16());
  const base::Bytes signature = reader.vector16();
  if (!reader.ok()) return Failure(Reason::message_malformed);
  if (!reader.empty()) return Failure(Reason::message_trailing_octets);
  return CertificateVerify{scheme, signature};
}

void CertificateVerify::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.u16(static_cast<std::uint16_t>(scheme));
  writer.vector16(signature);
}

SignedContent::SignedContent(Signer signer, base::Bytes transcript_digest) noexcept {
  constexpr std::string_view server = "TLS 1.3, server CertificateVerify";
  constexpr std::string_view client = "TLS 1.3, client CertificateVerify";
  static_assert(server.size() == context_bytes && client.size() == context_bytes);
  std::memset(octets_.data(), ' ', pad_bytes);
  Writer writer(base::MutBytes(octets_).subspan(pad_bytes));
  writer.bytes(base::as_bytes(signer == Signer::server ? server : client));
  writer.u8(0);
  writer.bytes(transcript_digest);
  size_ = pad_bytes + writer.size();
}

}  // namespace signet::tls
