// The same service over TLS: leases of areas, alerts, and what a stranger may send instead of a ClientHello.
#include "tls_support.hpp"

using namespace signet::server;
using namespace signet::test;
using signet::test::ClientOptions;

namespace {

constexpr std::string_view hello = "GET /hello/bob HTTP/1.1\r\nHost: x\r\n\r\n";

}  // namespace

TEST_CASE("a handshake, requests, and close_notify both ways") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  ClientOptions options;
  options.protocols = {"http/1.1"};
  TlsPeer peer(rig, options);
  peer.exchange();
  REQUIRE(peer.client.established());
  CHECK(peer.client.protocol() == "http/1.1");
  CHECK(rig.all_free());
  for (int i = 0; i < 3; i++) {
    CHECK(peer.ask(hello).ends_with("hello bob\n"));
    CHECK(rig.all_free());
  }
  peer.client.close();
  peer.exchange();
  CHECK(peer.client.peer_closed());
  CHECK(peer.socket->at_end());
  CHECK(rig.worker.connections() == 0);
  CHECK(rig.ended(Cause::peer_closed) == 1);
}

TEST_CASE("a large answer over TLS is whole") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  TlsPeer peer(rig);
  peer.exchange();
  peer.client.send("GET /big/3000 HTTP/1.1\r\nHost: x\r\n\r\n");
  peer.exchange(300);
  const std::string_view answer = signet::base::as_text(peer.client.received());
  const std::size_t body = answer.find("\r\n\r\n") + 4;
  CHECK(answer.size() - body == 3'000'000);
  CHECK(answer.find_first_not_of('x', body) == answer.npos);
  CHECK(rig.all_free());
}

TEST_CASE("handshakes take turns when there are fewer areas than clients") {
  TestHttp http;
  WorkerSettings settings = tls_settings(http.service());
  settings.handshakes = 1;
  Rig rig(settings);
  std::vector<std::unique_ptr<TlsPeer>> peers;
  for (int i = 0; i < 6; i++) peers.push_back(std::make_unique<TlsPeer>(rig));
  for (auto& peer : peers) peer->flush();
  for (int i = 0; i < 20; i++)
    for (auto& peer : peers) peer->exchange(1);
  for (auto& peer : peers) {
    CHECK(peer->client.established());
    CHECK(peer->ask(hello).ends_with("hello bob\n"));
  }
  CHECK(rig.worker.counters().handshakes == 6);
  CHECK(rig.all_free());
}

TEST_CASE("a first record that does not come whole keeps no area, and its timer has a name") {
  TestHttp http;
  WorkerSettings settings = tls_settings(http.service());
  settings.handshakes = 1;
  settings.periods.handshake = 60'000;
  Rig rig(settings);
  TlsPeer slow(rig), other(rig);
  const Octets first = slow.client.take_output();
  slow.socket->send(signet::base::as_text(first).substr(0, 100));
  rig.turns();
  CHECK(rig.worker.areas().pool().used() == 0);
  CHECK(rig.worker.inputs().held_count() == 1);
  other.exchange();
  CHECK(other.client.established());
  rig.pass(20'001);
  CHECK(rig.ended(Cause::record_timeout) == 1);
  CHECK(rig.all_free());
}

TEST_CASE("a handshake that does not end is ended by its timer, and its area comes back") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  TlsPeer peer(rig);
  peer.client.hold_finished();
  peer.exchange();
  CHECK(rig.worker.areas().pool().used() == 1);
  CHECK(rig.worker.inputs().hot() + rig.worker.inputs().held_count() + rig.worker.outputs().pool().used() ==
        0);
  rig.pass(10'001);
  CHECK(rig.ended(Cause::handshake_timeout) == 1);
  CHECK(rig.all_free());
}

TEST_CASE("plain HTTP on the TLS port is answered in clear text") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  auto peer = rig.connect();
  const std::string answer = rig.ask(*peer, hello);
  CHECK(answer.starts_with("HTTP/1.1 400 Bad Request\r\n"));
  CHECK(answer.ends_with("plain HTTP request was sent."));
  CHECK(peer->at_end());
  CHECK_FALSE(peer->was_reset());
  CHECK(rig.worker.counters().of(signet::tls::Reason::plain_http_request) == 1);
}

TEST_CASE("a client without TLS 1.3 gets its alert") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  ClientOptions options;
  options.versions = {signet::tls::ProtocolVersion::tls12};
  TlsPeer peer(rig, options);
  peer.exchange();
  CHECK(peer.client.alert() == signet::tls::Alert::protocol_version);
  CHECK(rig.worker.counters().of(signet::tls::Reason::version_not_offered) == 1);
  peer.socket->close();
  rig.turns();
  CHECK(rig.ended(Cause::tls_failure) == 1);
  CHECK(rig.all_free());
}

TEST_CASE("a request over many records of one octet each") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));
  TlsPeer peer(rig);
  peer.exchange();
  for (const char octet : hello) peer.client.send(std::string_view(&octet, 1));
  peer.exchange(12);
  CHECK(signet::base::as_text(peer.client.received()).ends_with("hello bob\n"));
  CHECK(rig.all_free());
}
