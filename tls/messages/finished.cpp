#include <signet/tls/messages/finished.hpp>

namespace signet::tls {

base::Result<Finished, Failure> Finished::parse(base::Bytes body, crypto::HashId hash) noexcept {
  if (body.size() != crypto::digest_bytes(hash)) return Failure(Reason::finished_length_wrong);
  return Finished{body};
}

void Finished::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
  writer.bytes(verify_data);
}

}  // namespace signet::tls
