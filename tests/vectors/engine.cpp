#include <algorithm>

#include <signet/tests/support/tls_pair.hpp>
#include <signet/tests/vectors/engine.hpp>

namespace signet::vectors {

EngineAnswer ask_engine(const Octets& octets, std::size_t piece) {
  test::TlsPair pair;
  const std::size_t size = piece == 0 ? octets.size() : piece;
  for (std::size_t at = 0; at < octets.size() && !pair.failure; at += size) {
    pair.feed(base::Bytes(octets).subspan(at, std::min(size, octets.size() - at)));
  }
  EngineAnswer answer;
  if (pair.failure) answer.reason = pair.failure->reason;
  answer.sent_bytes = pair.sent.size();
  answer.residue = pair.worst_residue;
  return answer;
}

EngineAnswer ask_engine_message(std::uint8_t type, const Octets& body) {
  const std::size_t message_bytes = body.size() + 4;
  Octets record = {22, 3, 1, static_cast<std::uint8_t>(message_bytes >> 8),
                   static_cast<std::uint8_t>(message_bytes)};
  record.push_back(type);
  for (const unsigned shift : {16U, 8U, 0U})
    record.push_back(static_cast<std::uint8_t>(body.size() >> shift));
  record.insert(record.end(), body.begin(), body.end());
  return ask_engine(record, 0);
}

}  // namespace signet::vectors
