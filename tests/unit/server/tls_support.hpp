// The tests' TLS client on a socket to a worker under test.
#pragma once

#include <ctime>

#include "support.hpp"

#include <signet/tests/support/tls_client.hpp>
#include <signet/tls/development_certificate.hpp>

namespace signet::test {

inline server::WorkerSettings tls_settings(const server::Service& service) {
  static const auto made = tls::make_development_certificate(std::time(nullptr));
  REQUIRE(made.ok());
  server::WorkerSettings settings = small_settings();
  settings.service = service;
  settings.tls.identity = made->identity;
  settings.tls.protocols = settings.service.protocols;
  return settings;
}

struct TlsPeer {
  Rig& rig;
  std::unique_ptr<Peer> socket;
  TlsClient client;

  explicit TlsPeer(Rig& with, ClientOptions options = {})
      : rig(with), socket(with.connect()), client(std::move(options)) {}

  void flush() {
    const Octets out = client.take_output();
    if (!out.empty()) socket->send(base::as_text(out));
  }
  void exchange(int rounds = 6) {
    for (int i = 0; i < rounds; i++) {
      flush();
      rig.turns(2);
      std::string in;
      socket->receive(in);
      if (!in.empty()) client.receive(base::as_bytes(in));
    }
  }
  std::string ask(std::string_view request) {
    client.forget_received();
    client.send(request);
    exchange();
    return std::string(base::as_text(client.received()));
  }
};

}  // namespace signet::test
