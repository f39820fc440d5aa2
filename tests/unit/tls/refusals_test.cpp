// Hellos that the tests' client would never send: made from its own by changing octets, each refused with its
// reason, in a first ClientHello and in the one after a HelloRetryRequest.
#include <algorithm>

#include <doctest/doctest.h>

#include <signet/tests/support/tls_pair.hpp>

using namespace signet;
using namespace signet::test;
using tls::NamedGroup;
using tls::Reason;

namespace {

// The alert must be the reason's, and must reach the client.
Reason failure_of(const TlsPair& pair) {
  if (!pair.failure) return Reason::none;
  CHECK(pair.client.alert() == tls::Failure(pair.failure->reason).alert);
  CHECK(pair.worst_residue == 0);
  return pair.failure->reason;
}

// Where `pattern` begins in `octets`.
std::uint8_t* find(Octets& octets, const Octets& pattern) {
  const auto at = std::search(octets.begin(), octets.end(), pattern.begin(), pattern.end());
  REQUIRE(at != octets.end());
  return &*at;
}

template <class Change>
Reason refusal_of_first(ClientOptions options, Change&& change) {
  TlsPair pair(std::move(options));
  Octets hello = pair.client.take_output();
  change(hello);
  pair.feed(hello);
  return failure_of(pair);
}

template <class Change>
Reason refusal_of_second(ClientOptions options, Change&& change) {
  options.shares = {};
  TlsPair pair(std::move(options));
  pair.feed(pair.client.take_output());
  REQUIRE(pair.client.retried());
  Octets hello = pair.client.take_output();
  change(hello);
  pair.feed(hello);
  return failure_of(pair);
}

// Record header, message header: here legacy_version begins.
constexpr std::size_t version_at = 5 + 4;
// A key share's group and length.
const Octets x25519_share = {0, 0x1d, 0, 32};
const Octets p256_share = {0, 0x17, 0, 65};

}  // namespace

TEST_CASE("nothing changed, nothing refused") {
  CHECK(refusal_of_first({}, [](Octets&) {}) == Reason::none);
  CHECK(refusal_of_second({}, [](Octets&) {}) == Reason::none);
}

TEST_CASE("versions before TLS 1.0 are refused, later ones are passed over") {
  const auto with_version = [](std::uint8_t major, std::uint8_t minor) {
    return refusal_of_first({}, [=](Octets& o) { o[version_at] = major, o[version_at + 1] = minor; });
  };
  CHECK(with_version(3, 0) == Reason::legacy_version_wrong);
  CHECK(with_version(2, 0xff) == Reason::legacy_version_wrong);
  CHECK(with_version(3, 1) == Reason::none);
  CHECK(with_version(3, 4) == Reason::none);
}

TEST_CASE("key shares: missing, of the wrong length, no point, of low order") {
  CHECK(refusal_of_first({}, [](Octets& o) {
          find(o, {0, 51, 0, 38, 0, 36, 0, 0x1d})[0] = 0x7a;  // the extension has a number of no meaning
        }) == Reason::key_share_missing);
  CHECK(refusal_of_first({}, [](Octets& o) { find(o, x25519_share)[1] = 0x17; }) ==
        Reason::key_share_length_wrong);
  CHECK(refusal_of_first({}, [](Octets& o) {
          std::fill_n(find(o, x25519_share) + 4, 32, std::uint8_t{0});
        }) == Reason::key_share_all_zero);
  ClientOptions p256;
  p256.shares = {NamedGroup::secp256r1};
  CHECK(refusal_of_first(p256, [](Octets& o) { find(o, p256_share)[4 + 64] ^= 1; }) ==
        Reason::key_share_invalid_point);
  CHECK(refusal_of_first(p256, [](Octets& o) { find(o, p256_share)[4] = 2; }) ==
        Reason::key_share_invalid_point);
}

TEST_CASE("a PSK without its modes, early data without a PSK") {
  ClientOptions options;
  options.early_data = true;
  CHECK(refusal_of_first(options, [](Octets& o) {
          find(o, {0, 45, 0, 2, 1, 1})[0] = 0x7a;
        }) == Reason::psk_modes_missing);
  // early_data is empty, and pre_shared_key comes right behind it.
  CHECK(refusal_of_first(options, [](Octets& o) {
          find(o, {0, 42, 0, 0, 0, 41})[4] = 0x7a;
        }) == Reason::early_data_without_psk);
}

TEST_CASE("a second ClientHello: another version, another share, early data, a cookie") {
  CHECK(refusal_of_second({}, [](Octets& o) { o[version_at + 1] = 1; }) == Reason::retry_hello_changed);
  CHECK(refusal_of_second({}, [](Octets& o) { find(o, x25519_share)[1] = 0x1e; }) ==
        Reason::retry_key_share_wrong);
  ClientOptions early;
  early.early_data = true;
  early.others = {0x7a, 0x7a, 0, 0};  // becomes early_data in the second one
  CHECK(refusal_of_second(early, [](Octets& o) {
          std::uint8_t* id = find(o, {0x7a, 0x7a, 0, 0});
          id[0] = 0, id[1] = 42;
        }) == Reason::early_data_after_retry);
  ClientOptions cookie;
  cookie.others = {0x7a, 0x7a, 0, 3, 0, 1, 0xcc};
  CHECK(refusal_of_second(cookie, [](Octets& o) {
          std::uint8_t* id = find(o, {0x7a, 0x7a, 0, 3});
          id[0] = 0, id[1] = 44;
        }) == Reason::retry_cookie_wrong);
}

TEST_CASE("early data that is passed over comes in records that could be protected") {
  for (const std::size_t body : {std::size_t{0}, std::size_t{15}, std::size_t{16}}) {
    ClientOptions options;
    options.early_data = true;
    options.shares = {};
    TlsPair pair(options);
    Octets octets = pair.client.take_output();
    Octets record(tls::record_header_bytes + body, 0xee);
    tls::RecordHeader::write(record.data(), tls::ContentType::application_data, body);
    octets.insert(octets.end(), record.begin(), record.end());
    pair.feed(octets);
    CHECK(failure_of(pair) == (body < 16 ? Reason::record_too_short : Reason::none));
  }
}

TEST_CASE("a handshake record without content") {
  TlsPair first;
  first.feed(Octets{22, 3, 1, 0, 0});
  CHECK(failure_of(first) == Reason::record_empty_handshake);
  TlsPair established;
  established.run();
  established.client.send(tls::ContentType::handshake, Octets{});
  established.run();
  CHECK(failure_of(established) == Reason::record_empty_handshake);
}
