// A worker driven turn by turn, with a clock that the test holds, and sockets that talk to it.
#pragma once

#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

#include "in_flight.hpp"
#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <signet/http/dispatch.hpp>
#include <signet/server/session.hpp>
#include <signet/server/worker.hpp>

namespace signet::test {

inline server::Ticks test_ticks = 1000;
inline server::Ticks read_test_ticks() noexcept { return test_ticks; }

/// A client's end, non-blocking.
class Peer {
 public:
  explicit Peer(const server::Address& to) : Peer(to, 0) {}
  /// With segments of so many octets and a small window, as over a slow network: the kernel's buffers stay
  /// shorter than a send buffer. 0: as loopback has it.
  Peer(const server::Address& to, int segment) {
    sockaddr_storage name;
    const socklen_t size = to.to(name);
    fd_ = socket(to.is_v4() ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (segment != 0) {
      const int window = 8 * 1024;
      setsockopt(fd_, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
      setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &window, sizeof window);
    }
    REQUIRE(connect(fd_, reinterpret_cast<sockaddr*>(&name), size) == 0);
    const int one = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer() { close(); }

  void send(std::string_view text) { REQUIRE(try_send(text) == text.size()); }
  /// As many octets as the kernel takes.
  std::size_t try_send(std::string_view text) {
    const ssize_t n = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
    return n < 0 ? 0 : static_cast<std::size_t>(n);
  }
  /// What is there now, appended to `into`; at_end() tells of the server's FIN.
  void receive(std::string& into) {
    char octets[64 * 1024];
    for (;;) {
      const ssize_t n = ::recv(fd_, octets, sizeof octets, 0);
      if (n == 0) at_end_ = true;
      if (n < 0 && errno == ECONNRESET) at_end_ = was_reset_ = true;
      if (n <= 0) return;
      into.append(octets, static_cast<std::size_t>(n));
    }
  }
  /// As receive(), of what is there at most `most` octets.
  void receive_some(std::string& into, std::size_t most) {
    std::string octets(most, ' ');
    const ssize_t n = ::recv(fd_, octets.data(), most, 0);
    if (n > 0) into.append(octets, 0, static_cast<std::size_t>(n));
  }
  void finish() { shutdown(fd_, SHUT_WR); }
  void reset() {
    const linger at_once{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] bool was_reset() const { return was_reset_; }
  /// What a silence now does not mean the end of.
  [[nodiscard]] bool more_comes() const { return more_is_queued_for(fd_) || anything_in_flight(); }

 private:
  int fd_ = -1;
  bool at_end_ = false;
  bool was_reset_ = false;
};

/// Small pools, so that they run out.
inline server::WorkerSettings small_settings() {
  server::WorkerSettings settings;
  settings.connections = 64;
  settings.areas = 4;
  settings.handshakes = 2;
  settings.held = 4;
  settings.clock = read_test_ticks;
  return settings;
}

class Rig {
 public:
  explicit Rig(const server::WorkerSettings& settings) : Rig(settings, 0) {}
  /// With so many octets that the kernel takes for a connection and keeps (0: as it likes).
  Rig(const server::WorkerSettings& settings, int kernel_bytes) : worker(settings, 0) {
    REQUIRE(worker.open());
    server::Listener listener;
    server::Address any;
    REQUIRE(server::parse_address(any, "127.0.0.1:0"));
    REQUIRE(listener.open(any));
    if (kernel_bytes != 0)  // accepted sockets inherit it
      REQUIRE(setsockopt(listener.fd(), SOL_SOCKET, SO_SNDBUF, &kernel_bytes, sizeof kernel_bytes) == 0);
    address = listener.address();
    worker.add(std::move(listener));
    REQUIRE(worker.watch_listeners());
  }

  /// Turns that wait for nothing: loopback delivers at once, but for what in_flight.hpp says.
  void turns(int count = 8) {
    for (int i = 0; i < count; i++) worker.turn(0);
  }
  std::unique_ptr<Peer> connect() {
    auto peer = std::make_unique<Peer>(address);
    turns();
    return peer;
  }
  /// Sends, turns, and what came back.
  std::string ask(Peer& peer, std::string_view text) {
    peer.send(text);
    return listen(peer);
  }
  std::string listen(Peer& peer) {
    std::string answer;
    const Deadline deadline;
    for (int i = 0; i < 8 || (peer.more_comes() && !deadline.passed()); i++) {
      turns(2);
      peer.receive(answer);
    }
    return answer;
  }
  void pass(server::Ticks milliseconds) {
    test_ticks += milliseconds;
    turns();
  }
  [[nodiscard]] std::uint64_t ended(server::Cause cause) { return worker.counters().of(cause); }
  /// Every buffer and area of every pool is free.
  [[nodiscard]] bool all_free() {
    return worker.areas().pool().used() == 0 && worker.inputs().hot() == 0 &&
           worker.inputs().held_count() == 0 && worker.outputs().pool().used() == 0;
  }

  server::Worker worker;
  server::Address address;
};

inline std::size_t turns_in_200ms(server::Worker& worker) {
  std::size_t turns = 0;
  timespec begin{}, now{};
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    worker.turn(50);
    turns++;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1'000'000 < 200);
  return turns;
}

/// Sends until the server stops reading: its answers find no reader.
inline void fill(Rig& rig, Peer& peer) {
  const std::string much(256 * 1024, 'y');
  for (int idle = 0; idle < 5;) {
    idle = peer.try_send(much) == 0 ? idle + 1 : 0;
    rig.turns(4);
  }
}

inline void serve_echo(server::Channel& channel) noexcept {
  while (!channel.plaintext().empty() || channel.read()) {
    base::SendBuffer* out = channel.output(1);
    if (out == nullptr) return;
    const base::MutBytes window = out->window();
    const base::MutBytes data = channel.plaintext();
    const std::size_t n = std::min(window.size(), data.size());
    std::memcpy(window.data(), data.data(), n);
    out->wrote(n);
    channel.consume(n);
    channel.expect_anew(server::Expect::idle);
  }
}

/// Consumes whole lines only and answers each by itself: halves of lines are held.
inline void serve_lines(server::Channel& channel) noexcept {
  for (;;) {
    const std::string_view text = base::as_text(channel.plaintext());
    const std::size_t end = text.find('\n');
    if (end == text.npos) {
      if (!channel.read()) return;
      continue;
    }
    base::SendBuffer* out = channel.output(end + 1);
    if (out == nullptr) return;
    std::memcpy(out->window().data(), text.data(), end + 1);
    out->wrote(end + 1);
    channel.consume(end + 1);
  }
}

inline server::Service service_of(void (*serve)(server::Channel&) noexcept) {
  server::Service service;
  service.serve = serve;
  return service;
}

/// Routes for tests: /hello/{name}, /big/{n} thousand octets, /echo, /throw.
class TestHttp {
 public:
  TestHttp() : dispatcher_(routes(), nullptr, nullptr) {
    http_.dispatcher = &dispatcher_;
    http_.limits.body_bytes = 16 * 1024;
    http_.checks_host = false;  // requests here name any host; misdirected_test.cpp has its own
  }
  [[nodiscard]] server::Service service() const { return server::http_service(http_); }

 private:
  static http::Router routes() {
    http::Router router;
    const auto add = [&](http::verb method, std::string_view pattern, http::Handler handler) {
      REQUIRE(router.add(method, pattern, std::move(handler)).ok());
    };
    add(http::verb::get, "/hello/{name}", [](const http::Request& request, http::Response& response) {
      response.text(http::status::ok, "hello ", request.param("name"), "\n");
    });
    add(http::verb::get, "/big/{n}", [](const http::Request& request, http::Response& response) {
      static const std::string many(64 * 1024, 'x');
      response.repeat(many, std::stoul(std::string(request.param("n"))) * 1000);
    });
    add(http::verb::post, "/echo",
        [](const http::Request& request, http::Response& response) { response.view(request.body()); });
    add(http::verb::get, "/throw", [](const http::Request&, http::Response&) { (void)std::string().at(1); });
    return router;
  }

  http::Dispatcher dispatcher_;
  server::HttpService http_;
};

/// What follows the first head; nothing when that is not whole.
inline std::string body_of(std::string_view answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == answer.npos ? std::string() : std::string(answer.substr(end + 4));
}

inline std::size_t count_of(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) count++;
  return count;
}

}  // namespace signet::test
