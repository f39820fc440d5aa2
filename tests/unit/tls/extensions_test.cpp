// The extensions one by one, and lists of them.
#include <doctest/doctest.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tls/extensions.hpp>

using namespace signet;
using namespace signet::tls;
using test::from_hex;
using test::to_hex;

namespace {

using Octets = std::vector<std::uint8_t>;
using Place = ExtensionPlace;

Octets one(ExtensionId id, const Octets& body) {
  Octets list(4 + body.size());
  Writer writer(list);
  RawExtension{static_cast<std::uint16_t>(id), body}.write(writer);
  return list;
}

/// none when a list of this one extension parses and is written back to the same octets.
Reason reason_of(ExtensionId id, Place place, const char* hex) {
  const Octets list = one(id, from_hex(hex));
  const auto extensions = Extensions::parse(list, place);
  if (!extensions) return extensions.error().reason;
  Octets room(2 + list.size());
  Writer writer(room);
  extensions->write(writer, place);
  CHECK(writer.ok());
  CHECK(to_hex(writer.written().subspan(2)) == to_hex(list));
  CHECK(extensions->has(id));
  return Reason::none;
}

Reason client(ExtensionId id, const char* hex) { return reason_of(id, Place::client_hello, hex); }

Reason list_reason(const Octets& list, Place place) {
  const auto extensions = Extensions::parse(list, place);
  return extensions ? Reason::none : extensions.error().reason;
}

}  // namespace

TEST_CASE("server_name: one host name, whatever it looks like") {
  CHECK(client(ExtensionId::server_name, "0006 00 0003 612e62") == Reason::none);
  CHECK(client(ExtensionId::server_name, "000c 00 0009 3132372e302e302e31") == Reason::none);  // 127.0.0.1
  CHECK(client(ExtensionId::server_name, "0004 00 0001 ff") == Reason::none);
  for (const char* malformed : {"", "0000", "0003 00 0000", "0004 01 0001 61", "0004 00 0002 61",
                                "0005 00 0001 6161", "0008 00 0001 61 00 0001 61", "0004 00 0001 61 00"}) {
    CAPTURE(malformed);
    CHECK(client(ExtensionId::server_name, malformed) == Reason::extension_malformed);
  }
  CHECK(reason_of(ExtensionId::server_name, Place::encrypted_extensions, "") == Reason::none);
  CHECK(reason_of(ExtensionId::server_name, Place::encrypted_extensions, "00") ==
        Reason::extension_malformed);
}

TEST_CASE("lists of words: even, not empty, unknown values taken") {
  for (const ExtensionId id : {ExtensionId::supported_groups, ExtensionId::signature_algorithms,
                               ExtensionId::signature_algorithms_cert}) {
    CHECK(client(id, "0002 0017") == Reason::none);
    CHECK(client(id, "0004 fafa 0403") == Reason::none);
    for (const char* malformed : {"", "00", "0000", "0001 00", "0003 001700", "0004 0017", "0002 0017 00"}) {
      CAPTURE(malformed);
      CHECK(client(id, malformed) == Reason::extension_malformed);
    }
  }
}

TEST_CASE("supported_versions: a list or the one selected") {
  CHECK(client(ExtensionId::supported_versions, "06 fafa 0304 0303") == Reason::none);
  for (const char* malformed : {"", "00", "01 03", "03 030403", "02 0304 03"}) {
    CHECK(client(ExtensionId::supported_versions, malformed) == Reason::extension_malformed);
  }
  CHECK(reason_of(ExtensionId::supported_versions, Place::server_hello, "0304") == Reason::none);
  CHECK(reason_of(ExtensionId::supported_versions, Place::server_hello, "02 0304") ==
        Reason::extension_malformed);
}

TEST_CASE("key_share: a list, a group, a share") {
  CHECK(client(ExtensionId::key_share, "0000") == Reason::none);
  CHECK(client(ExtensionId::key_share, "000a 1a1a 0001 00 0017 0001 04") == Reason::none);
  for (const char* malformed :
       {"", "0004 0017 0000", "0005 0017 0002 04", "0005 0017 0001 04 00", "0001 00"}) {
    CAPTURE(malformed);
    CHECK(client(ExtensionId::key_share, malformed) == Reason::extension_malformed);
  }
  CHECK(reason_of(ExtensionId::key_share, Place::hello_retry_request, "0018") == Reason::none);
  CHECK(reason_of(ExtensionId::key_share, Place::hello_retry_request, "001877") ==
        Reason::extension_malformed);
  CHECK(reason_of(ExtensionId::key_share, Place::server_hello, "001d 0001 09") == Reason::none);
  CHECK(reason_of(ExtensionId::key_share, Place::server_hello, "001d 0000") == Reason::extension_malformed);
  CHECK(reason_of(ExtensionId::key_share, Place::server_hello, "001d 0002 09") ==
        Reason::extension_malformed);
}

TEST_CASE("key shares in order") {
  const Octets list = one(ExtensionId::key_share, from_hex("000b 1a1a 0001 00 001d 0002 0909"));
  const auto extensions = Extensions::parse(list, Place::client_hello);
  REQUIRE(extensions);
  std::string seen;
  for (const KeyShare& share : extensions->key_shares) {
    seen += std::to_string(static_cast<unsigned>(share.group)) + ":" + to_hex(share.key) + " ";
  }
  CHECK(seen == "6682:00 29:0909 ");
}

TEST_CASE("ALPN: names that are not empty, one in an answer") {
  constexpr ExtensionId alpn = ExtensionId::application_layer_protocol_negotiation;
  CHECK(client(alpn, "000c 02 6832 08 687474702f312e31") == Reason::none);
  CHECK(client(alpn, "0001 00") == Reason::alpn_empty_name);
  CHECK(client(alpn, "0004 02 6832 00") == Reason::alpn_empty_name);
  for (const char* malformed : {"", "0000", "0004 02 6832", "0003 03 6832", "0003 02 6832 00"}) {
    CAPTURE(malformed);
    CHECK(client(alpn, malformed) == Reason::extension_malformed);
  }
  CHECK(reason_of(alpn, Place::encrypted_extensions, "0003 02 6832") == Reason::none);
  CHECK(reason_of(alpn, Place::encrypted_extensions, "0005 02 6832 01 61") == Reason::extension_malformed);
  const Octets answer = one(alpn, from_hex("0003 02 6832"));
  CHECK(to_hex(Extensions::parse(answer, Place::encrypted_extensions)->selected_protocol) == "6832");
}

TEST_CASE("record_size_limit is at least 64") {
  CHECK(client(ExtensionId::record_size_limit, "0040") == Reason::none);
  CHECK(client(ExtensionId::record_size_limit, "ffff") == Reason::none);
  CHECK(client(ExtensionId::record_size_limit, "003f") == Reason::record_size_limit_too_small);
  CHECK(client(ExtensionId::record_size_limit, "00") == Reason::extension_malformed);
  CHECK(client(ExtensionId::record_size_limit, "000000") == Reason::extension_malformed);
}

TEST_CASE("pre_shared_key: as many binders as identities, of 32 octets at least") {
  const std::string binder = "20" + std::string(64, '0');
  const std::string two = "0042" + binder + binder;
  const auto psk = [](const std::string& hex) { return client(ExtensionId::pre_shared_key, hex.c_str()); };
  const std::string identity = "0007 0001 aa 00000000";
  CHECK(psk(identity + "0021" + binder) == Reason::none);
  CHECK(psk(identity + two) == Reason::psk_identities_and_binders_differ);
  CHECK(psk("000e 0001 aa 00000000 0001 bb 00000000" + two) == Reason::none);
  CHECK(psk(identity + "0020 1f" + std::string(62, '0')) == Reason::extension_malformed);
  CHECK(psk("0006 0000 00000000 0021" + binder) == Reason::extension_malformed);
  CHECK(psk("0000 0021" + binder) == Reason::extension_malformed);
  CHECK(psk(identity + "0000") == Reason::extension_malformed);
  CHECK(psk(identity) == Reason::extension_malformed);
  CHECK(psk(identity + "0021" + binder + "00") == Reason::extension_malformed);
  CHECK(reason_of(ExtensionId::pre_shared_key, Place::server_hello, "0001") == Reason::none);
  CHECK(reason_of(ExtensionId::pre_shared_key, Place::server_hello, "00") == Reason::extension_malformed);
}

TEST_CASE("pre_shared_key is the last of a ClientHello") {
  const Octets psk =
      one(ExtensionId::pre_shared_key, from_hex("0007 0001 aa 00000000 0021 20" + std::string(64, '0')));
  Octets list = psk;
  const Octets after = from_hex("0001 0000");
  list.insert(list.end(), after.begin(), after.end());
  CHECK(list_reason(list, Place::client_hello) == Reason::psk_not_last);
  list = after;
  list.insert(list.end(), psk.begin(), psk.end());
  CHECK(list_reason(list, Place::client_hello) == Reason::none);
  CHECK(list_reason(from_hex("0029 0002 0000 002b 0002 0304"), Place::server_hello) == Reason::none);
}

TEST_CASE("cookie, modes and early data") {
  CHECK(client(ExtensionId::cookie, "0001 aa") == Reason::none);
  CHECK(client(ExtensionId::cookie, "0000") == Reason::extension_malformed);
  CHECK(client(ExtensionId::psk_key_exchange_modes, "02 0001") == Reason::none);
  CHECK(client(ExtensionId::psk_key_exchange_modes, "00") == Reason::extension_malformed);
  CHECK(client(ExtensionId::early_data, "") == Reason::none);
  CHECK(client(ExtensionId::early_data, "00") == Reason::extension_malformed);
  CHECK(reason_of(ExtensionId::early_data, Place::new_session_ticket, "00000400") == Reason::none);
  CHECK(reason_of(ExtensionId::early_data, Place::new_session_ticket, "") == Reason::extension_malformed);
}

TEST_CASE("the table of RFC 8446 section 4.2: what may stand where") {
  struct Row {
    ExtensionId id;
    const char* places;  // one letter a place, in the order of `places` below
  };
  const Row rows[] = {
      {ExtensionId::server_name, "C..E..."},
      {ExtensionId::supported_groups, "C..E..."},
      {ExtensionId::signature_algorithms, "C....R."},
      {ExtensionId::application_layer_protocol_negotiation, "C..E..."},
      {ExtensionId::record_size_limit, "C..E..."},
      {ExtensionId::pre_shared_key, "CS....."},
      {ExtensionId::early_data, "C..E..N"},
      {ExtensionId::supported_versions, "CSH...."},
      {ExtensionId::cookie, "C.H...."},
      {ExtensionId::psk_key_exchange_modes, "C......"},
      {ExtensionId::signature_algorithms_cert, "C....R."},
      {ExtensionId::key_share, "CSH...."},
  };
  const Place places[] = {Place::client_hello,         Place::server_hello, Place::hello_retry_request,
                          Place::encrypted_extensions, Place::certificate,  Place::certificate_request,
                          Place::new_session_ticket};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < std::size(places); i++) {
      CAPTURE(static_cast<unsigned>(row.id));
      CAPTURE(i);
      const bool refused = list_reason(one(row.id, {}), places[i]) == Reason::extension_not_allowed_here;
      CHECK(refused == (row.places[i] == '.'));
    }
  }
}

TEST_CASE("duplicates, known and unknown, few and many") {
  CHECK(list_reason(from_hex("0000 0000 0000 0000"), Place::encrypted_extensions) ==
        Reason::extension_duplicate);
  CHECK(list_reason(from_hex("1234 0000 000a 0004 0002 0017 1234 0000"), Place::client_hello) ==
        Reason::extension_duplicate);
  // All numbers that we do not parse, then one of them again at each of several places.
  Octets many;
  for (unsigned id = 100; id < 4100; id++) {
    const Octets extension = one(static_cast<ExtensionId>(id), {});
    many.insert(many.end(), extension.begin(), extension.end());
  }
  CHECK(list_reason(many, Place::client_hello) == Reason::none);
  for (const unsigned again : {100U, 131U, 132U, 133U, 4099U}) {
    Octets list = many;
    const Octets extension = one(static_cast<ExtensionId>(again), {});
    list.insert(list.end(), extension.begin(), extension.end());
    CHECK(list_reason(list, Place::client_hello) == Reason::extension_duplicate);
  }
}

TEST_CASE("a list of extensions that is none") {
  for (const char* hex : {"00", "0000", "000000", "00000001", "0000 0001 00 ff"}) {
    CHECK(list_reason(from_hex(hex), Place::certificate) != Reason::none);
  }
  CHECK(list_reason(from_hex("0001 0002 00"), Place::client_hello) == Reason::message_malformed);
  CHECK(list_reason({}, Place::client_hello) == Reason::none);
}

TEST_CASE("unknown extensions are found by number") {
  const Octets list = from_hex("1a1a 0000 0005 0003 010203");
  const auto extensions = Extensions::parse(list, Place::client_hello);
  REQUIRE(extensions);
  CHECK(to_hex(*extensions->find(5)) == "010203");
  CHECK(extensions->find(0x1a1a)->empty());
  CHECK_FALSE(extensions->find(6));
}

TEST_CASE("one that was cleared is not written") {
  const Octets list = from_hex("002c 0003 0001 aa 1a1a 0000");
  auto extensions = Extensions::parse(list, Place::client_hello);
  REQUIRE(extensions);
  extensions->clear(ExtensionId::cookie);
  Octets room(20);
  Writer writer(room);
  extensions->write(writer, Place::client_hello);
  CHECK(to_hex(writer.written()) == "00041a1a0000");
}
