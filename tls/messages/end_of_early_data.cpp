#include <signet/tls/messages/end_of_early_data.hpp>

namespace signet::tls {

base::Result<EndOfEarlyData, Failure> EndOfEarlyData::parse(base::Bytes body) noexcept {
  if (!body.empty()) return Failure(Reason::message_trailing_octets);
  return EndOfEarlyData{};
}

void EndOfEarlyData::write(Writer& writer) const noexcept {
  const Writer::Scope message = open_message(writer, type);
}

}  // namespace signet::tls
