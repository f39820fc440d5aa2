// Where a KeyUpdate that the client asked for goes when there was no room for it at once.
#include <doctest/doctest.h>

#include <signet/tests/support/tls_pair.hpp>

using namespace signet;
using namespace signet::test;
using tls::Event;

namespace {

std::size_t first_record_content(base::Bytes records) {
  return tls::RecordHeader::parse(records.data()).length - tls::inner_type_bytes - crypto::aead_tag_bytes;
}

}  // namespace

TEST_CASE("an owed KeyUpdate goes before data that is sealed from its place") {
  TlsPair pair;
  pair.run();
  pair.fill_output();
  pair.client.send_key_update(true);
  const Octets octets = pair.client.take_output();
  std::memcpy(pair.in->room(octets.size()).data(), octets.data(), octets.size());
  pair.in->received(octets.size());
  const Event event = pair.server->next(*pair.in, *pair.out);
  REQUIRE(event.kind == Event::Kind::wait);
  REQUIRE(event.wait == tls::Wait::flush);
  CHECK(pair.server->seal_from(*pair.out, base::as_bytes("late")) == 0);
  pair.flush();
  pair.client.forget_received();

  CHECK(pair.server->seal_from(*pair.out, base::as_bytes("late")) == 4);
  CHECK(first_record_content(pair.out->pending()) == tls::KeyUpdate::message_bytes);
  pair.flush();
  CHECK(pair.client.fault() == "");
  CHECK(pair.client.key_updates_seen() == 1);
  CHECK(base::as_text(pair.client.received()) == "late");
}
