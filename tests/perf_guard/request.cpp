// A request on a kept TLS connection through the HTTP session: one turn of a worker that recvs, answers and
// sends. The socket is real, and what the kernel does is not counted.
#include <memory>

#include "counted.hpp"
#include "identity.hpp"
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <signet/server/session.hpp>
#include <signet/server/worker.hpp>
#include <signet/tests/support/tls_client.hpp>

namespace signet::counted {
namespace {

constexpr std::string_view request =
    "GET /hello/world HTTP/1.1\r\n"
    "Host: example.test\r\n"
    "User-Agent: counted\r\n"
    "Accept: */*\r\n"
    "\r\n";

/// Milliseconds for octets to come over loopback, which is not always at once.
constexpr int patience = 1'000;
constexpr int most_turns = 30;

/// Time stands still: no timer is due, and the Date field is made once.
server::Ticks still() noexcept { return 1000; }

http::Router routes() {
  http::Router router;
  const auto added =
      router.add(http::verb::get, "/hello/{name}", [](const http::Request& asked, http::Response& response) {
        response.text(http::status::ok, "hello ", asked.param("name"), "\n");
      });
  require(added.ok(), "HTTP kept request: the route");
  return router;
}

server::WorkerSettings settings_for(const server::Service& service) {
  server::WorkerSettings settings;
  settings.service = service;
  settings.tls.identity = identity();
  settings.tls.protocols = service.protocols;
  settings.connections = 4;
  settings.areas = settings.handshakes = settings.held = 2;
  settings.clock = still;
  require(settings.tls.identity != nullptr, "HTTP kept request: the identity");
  return settings;
}

class Kept {
 public:
  explicit Kept(const server::Service& service)
      : worker_(settings_for(service), 0), client_(options()), fd_(connect()) {
    worker_.turn(patience);  // accepts
    for (int i = 0; i < 8 && !client_.established(); i++) {
      send_all();
      take_turns();
      receive();
    }
    require(client_.established(), "HTTP kept request: the handshake");
    send_all();  // the Finished
    worker_.turn(patience);
  }
  ~Kept() { close(fd_); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  /// Asks, and takes the answer.
  void ask() {
    client_.forget_received();
    client_.send(request);
    send_all();
    take_turns();
    receive();
    const std::string_view answer = base::as_text(client_.received());
    require(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with("hello world\n"),
            "HTTP kept request");
  }

 private:
  static test::ClientOptions options() {
    test::ClientOptions options;
    options.server_name = host;
    options.protocols = {"http/1.1"};
    return options;
  }

  int connect() {
    server::Listener listener;
    server::Address any;
    sockaddr_storage name;
    require(worker_.open() && server::parse_address(any, "127.0.0.1:0") && listener.open(any), "listening");
    const socklen_t size = listener.address().to(name);
    worker_.add(std::move(listener));
    require(worker_.watch_listeners(), "listening");
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(::connect(fd, reinterpret_cast<const sockaddr*>(&name), size) == 0, "connecting");
    return fd;
  }

  void send_all() {
    const test::Octets octets = client_.take_output();
    if (octets.empty()) return;
    require(send(fd_, octets.data(), octets.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(octets.size()),
            "sending");
  }

  /// One turn answers; another, which finds nothing, is taken only where loopback is slower than patience.
  void take_turns() {
    pollfd answered{fd_, POLLIN, 0};
    for (int i = 0; i < most_turns; i++) {
      piece([&] { worker_.turn(patience); });
      if (poll(&answered, 1, patience) == 1) return;
    }
    require(false, "HTTP kept request: an answer");
  }

  void receive() {
    std::uint8_t octets[16 * 1024];
    const ssize_t n = recv(fd_, octets, sizeof octets, 0);
    require(n > 0, "HTTP kept request: an answer");
    client_.receive({octets, static_cast<std::size_t>(n)});
  }

  server::Worker worker_;
  test::TlsClient client_;
  int fd_;
};

}  // namespace

void count_request() {
  restart_random();
  set_rehearsing(true);
  const http::Dispatcher dispatcher(routes(), nullptr, nullptr);
  server::HttpService http;
  http.dispatcher = &dispatcher;
  Kept connection(server::http_service(http));
  connection.ask();
  set_rehearsing(false);
  connection.ask();
  give_to({"HTTP kept request", 0, "-"});
}

}  // namespace signet::counted
