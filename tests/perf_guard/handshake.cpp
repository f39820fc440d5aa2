// A full handshake in memory: X25519, AES-128-GCM, a P-256 certificate. What the client does is not counted.
#include <algorithm>
#include <memory>

#include "counted.hpp"
#include "identity.hpp"

#include <signet/tests/support/tls_client.hpp>
#include <signet/tls/connection.hpp>
#include <signet/tls/handshake_area.hpp>
#include <signet/tls/server_settings.hpp>

namespace signet::counted {
namespace {

// The server's end, with all that a worker lends it.
struct Server {
  explicit Server(const tls::ServerSettings& settings) {
    area->wipe();
    piece([&] { connection = std::make_unique<tls::Connection>(settings, *keys); });
  }
  ~Server() { connection->wipe(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::unique_ptr<tls::KeyCache> keys = std::make_unique<tls::KeyCache>();
  std::unique_ptr<base::RecvBuffer> in = std::make_unique<base::RecvBuffer>();
  std::unique_ptr<base::SendBuffer> out = std::make_unique<base::SendBuffer>(tls::plain_record_room);
  std::unique_ptr<tls::HandshakeArea> area = std::make_unique<tls::HandshakeArea>();
  std::unique_ptr<tls::Connection> connection;
};

/// Goes on until the peer is needed, or the handshake is done.
tls::Event advance(Server& server) {
  for (;;) {
    const tls::Event event = server.connection->next(*server.in, *server.out);
    if (event.kind == tls::Event::Kind::handshake_done) server.connection->take_area()->wipe();
    if (event.kind != tls::Event::Kind::wait) return event;
    if (event.wait == tls::Wait::area) {
      server.connection->lend_area(*server.area);
    } else if (event.wait == tls::Wait::signature) {
      server.connection->sign();
    } else {
      return event;
    }
  }
}

void to_server(Server& server, test::TlsClient& client) {
  const test::Octets octets = client.take_output();
  const base::MutBytes room = server.in->room(octets.size());
  require(!octets.empty() && room.size() >= octets.size(), "TLS handshake: the client's octets");
  std::copy(octets.begin(), octets.end(), room.begin());
  server.in->received(octets.size());
}

void to_client(Server& server, test::TlsClient& client) {
  const base::Bytes pending = server.out->pending();
  client.receive(pending);
  server.out->sent(pending.size());
}

void shake_hands(const tls::ServerSettings& settings) {
  restart_random();
  test::ClientOptions options;
  options.server_name = host;
  test::TlsClient client(options);
  Server server(settings);
  tls::Event event{};
  to_server(server, client);
  do {
    event = piece([&] { return advance(server); });
    to_client(server, client);
    if (event.kind == tls::Event::Kind::wait && event.wait == tls::Wait::input) to_server(server, client);
  } while (event.kind == tls::Event::Kind::wait);
  require(event.kind == tls::Event::Kind::handshake_done && client.established() && client.fault().empty(),
          "TLS handshake");
}

}  // namespace

void count_handshake() {
  tls::ServerSettings settings;
  settings.identity = identity();
  require(settings.identity != nullptr, "TLS handshake: the identity");
  set_rehearsing(true);
  shake_hands(settings);
  set_rehearsing(false);
  shake_hands(settings);
  give_to({"TLS handshake", 0, "-"});
}

}  // namespace signet::counted
