// Nothing is copied between the socket and the handler: the test binary's own recv and send see the same
// octets at the same places.
#include "tls_support.hpp"
#include <dlfcn.h>

using namespace signet::server;
using namespace signet::test;

namespace {

struct Seen {
  const char* received = nullptr;
  std::size_t received_bytes = 0;
  const char* sent = nullptr;
  std::size_t sent_bytes = 0;
  bool watching = false;
} seen;

bool within(const void* inner, std::size_t bytes, const char* outer, std::size_t outer_bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(inner);
  const auto from = reinterpret_cast<std::uintptr_t>(outer);
  return at >= from && at + bytes <= from + outer_bytes;
}

}  // namespace

extern "C" ssize_t recv(int fd, void* to, size_t bytes, int flags) {
  static const auto real = reinterpret_cast<ssize_t (*)(int, void*, size_t, int)>(dlsym(RTLD_NEXT, "recv"));
  const ssize_t n = real(fd, to, bytes, flags);
  if (seen.watching && n > 0) {
    seen.received = static_cast<const char*>(to);
    seen.received_bytes = static_cast<std::size_t>(n);
  }
  return n;
}

extern "C" ssize_t send(int fd, const void* from, size_t bytes, int flags) {
  static const auto real =
      reinterpret_cast<ssize_t (*)(int, const void*, size_t, int)>(dlsym(RTLD_NEXT, "send"));
  if (seen.watching) {
    seen.sent = static_cast<const char*>(from);
    seen.sent_bytes = bytes;
  }
  return real(fd, from, bytes, flags);
}

namespace {

/// A service that remembers where the last request's body lay and where its answer was written.
struct Watched {
  const char* body = nullptr;
  std::string read;
  const char* written = nullptr;
  std::unique_ptr<signet::http::Dispatcher> dispatcher;
  HttpService http;

  Watched() {
    signet::http::Router router;
    const auto handler = [this](const signet::http::Request& request, signet::http::Response& response) {
      body = request.body().data();
      read = request.body();
      const std::span<char> room = response.body(5);
      std::memcpy(room.data(), "reply", 5);
      written = room.data();
    };
    REQUIRE(router.add(signet::http::verb::post, "/", handler).ok());
    dispatcher = std::make_unique<signet::http::Dispatcher>(std::move(router), nullptr, nullptr);
    http.dispatcher = dispatcher.get();
    http.checks_host = false;
  }
};

}  // namespace

TEST_CASE("the handler's body lies where recv put it, and send takes what the handler wrote from its place") {
  Watched watched;
  WorkerSettings settings = small_settings();
  settings.service = http_service(watched.http);
  Rig rig(settings);
  auto peer = rig.connect();
  peer->send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\nrequest");
  seen.watching = true;
  rig.turns();
  seen.watching = false;
  CHECK(watched.read == "request");
  CHECK(within(watched.body, 7, seen.received, seen.received_bytes));
  CHECK(within(watched.written, 5, seen.sent, seen.sent_bytes));
  CHECK(rig.listen(*peer).ends_with("reply"));
}

TEST_CASE(
    "over TLS the same: opened within what recv filled, over records too, and sealed where it was written") {
  Watched watched;
  Rig rig(tls_settings(http_service(watched.http)));
  TlsPeer peer(rig);
  peer.exchange();
  peer.client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\nre");
  peer.client.send("que");
  peer.client.send("st");
  peer.flush();
  seen.watching = true;
  rig.turns();
  seen.watching = false;
  peer.exchange(1);
  CHECK(watched.read == "request");
  CHECK(within(watched.body, 7, seen.received, seen.received_bytes));
  CHECK(within(watched.written, 5, seen.sent, seen.sent_bytes));
  const std::string_view answer = signet::base::as_text(peer.client.received());
  CHECK(answer.ends_with("reply"));
}
