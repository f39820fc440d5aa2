// Sessions and engines alone, without sockets: what COUNT established connections keep, in KiB each.
//
//   engines COUNT
//
// Each makes its handshake with the tests' client, with buffers and an area that all share, and stays in such
// a pool as a worker has, beside a channel in another. Prints COUNT and how much the process's resident size
// grew.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include <signet/base/pool.hpp>
#include <signet/server/channel.hpp>
#include <signet/server/worker.hpp>
#include <signet/tests/support/tls_client.hpp>
#include <signet/tests/support/tls_pair.hpp>

namespace {

using namespace signet;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "engines: %s\n", what);
  std::exit(1);
}

/// Of this process, exact.
long resident_kib() {
  std::ifstream file("/proc/self/smaps_rollup");
  for (std::string word; file >> word;) {
    if (word != "Rss:") continue;
    long kib = 0;
    file >> kib;
    return kib;
  }
  require(false, "no resident size");
  return 0;
}

/// What all handshakes use in turn.
struct Lent {
  std::unique_ptr<base::RecvBuffer> in = std::make_unique<base::RecvBuffer>();
  std::unique_ptr<base::SendBuffer> out = std::make_unique<base::SendBuffer>(tls::plain_record_room);
  std::unique_ptr<tls::HandshakeArea> area = std::make_unique<tls::HandshakeArea>();
};

/// Goes on until the peer is needed, or the handshake is done.
tls::Event advance(tls::Connection& connection, Lent& lent) {
  for (;;) {
    const tls::Event event = connection.next(*lent.in, *lent.out);
    if (event.kind == tls::Event::Kind::handshake_done) connection.take_area()->wipe();
    if (event.kind != tls::Event::Kind::wait) return event;
    if (event.wait == tls::Wait::area)
      connection.lend_area(*lent.area);
    else if (event.wait == tls::Wait::signature)
      connection.sign();
    else
      return event;
  }
}

void to_server(Lent& lent, test::TlsClient& client) {
  const test::Octets octets = client.take_output();
  const base::MutBytes room = lent.in->room(octets.size());
  require(room.size() >= octets.size(), "no room for the client's octets");
  std::copy(octets.begin(), octets.end(), room.begin());
  lent.in->received(octets.size());
}

void to_client(Lent& lent, test::TlsClient& client) {
  const base::Bytes pending = lent.out->pending();
  client.receive(pending);
  lent.out->sent(pending.size());
}

void shake_hands(tls::Connection& connection, Lent& lent) {
  test::TlsClient client(test::ClientOptions{});
  tls::Event event{};
  do {
    to_server(lent, client);
    event = advance(connection, lent);
    to_client(lent, client);
  } while (event.kind == tls::Event::Kind::wait);
  require(event.kind == tls::Event::Kind::handshake_done && client.established(), "a handshake failed");
  lent.in->wipe();
  lent.out = std::make_unique<base::SendBuffer>(tls::plain_record_room);
}

struct Sessions {
  explicit Sessions(std::size_t count) : worker(std::make_unique<server::Worker>(worker_settings, 0)) {
    settings.identity = test::test_identity();
    require(settings.identity != nullptr, "no identity");
    require(cores.reserve(count) && channels.reserve(count), "the pools are refused");
    lent.area->wipe();
  }

  void add() {
    tls::Connection* core = cores.take(settings, *keys);
    shake_hands(*core, lent);
    require(channels.take(*worker, core, -1, server::Address{}) != nullptr, "no channel");
  }

  server::WorkerSettings worker_settings;
  std::unique_ptr<server::Worker> worker;
  tls::ServerSettings settings;
  std::unique_ptr<tls::KeyCache> keys = std::make_unique<tls::KeyCache>();
  Lent lent;
  base::Pool<tls::Connection> cores;
  base::Pool<server::Channel> channels;
};

}  // namespace

int main(int argc, char** argv) {
  constexpr int first = 100;  // they touch what all handshakes use
  const long count = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (count <= 0 || count > 1'000'000) {
    std::fputs("usage: engines COUNT (at most 1000000)\n", stderr);
    return 2;
  }
  const auto sessions = std::make_unique<Sessions>(static_cast<std::size_t>(count + first));
  for (int i = 0; i < first; i++) sessions->add();
  const long before = resident_kib();
  for (long i = 0; i < count; i++) sessions->add();
  const long grown = resident_kib() - before;
  std::printf("%ld %.4f\n", count, static_cast<double>(grown) / static_cast<double>(count));
}
