// Connections without TLS to a worker, driven turn by turn by a clock of ours: peers that send, read, leave
// and come back, time that passes, and answers that come late.
//
// Control: bit 0 peers read at once what is sent to them, bit 1 short buffers in the kernel, bit 2 an access
// log, bits 3-4 buffers of the worker. Then actions: one octet that names it (bits 0-3), the peer (bit 7) and
// whether turns follow (bit 6), and what it needs.
#include <array>
#include <memory>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <signet/server/session.hpp>
#include <signet/server/worker.hpp>
#include <signet/tests/fuzz/answers.hpp>
#include <signet/tests/fuzz/input.hpp>
#include <signet/tests/fuzz/require.hpp>
#include <signet/tests/fuzz/session_app.hpp>

using namespace signet;
using namespace signet::fuzz;

namespace {

constexpr unsigned most_actions = 48;
constexpr unsigned most_turns = 2000;
constexpr int short_kernel_bytes = 4096;

server::Ticks ticks = 1000;
server::Ticks read_ticks() noexcept { return ticks; }

/// The service, counted: how often a session was asked to do something.
server::Service http_under_test;
unsigned calls = 0;
void serve_counted(server::Channel& channel) noexcept {
  calls++;
  http_under_test.serve(channel);
}

const server::HttpService& http_of(bool logs_access) {
  static std::array<server::HttpService, 2> services;
  server::HttpService& http = services[logs_access];
  http.dispatcher = &app_dispatcher(logs_access);
  http.limits.body_bytes = 48 * 1024;
  http.checks_host = false;
  http.stays = "Keep-Alive: timeout=75\r\n";
  return http;
}

server::WorkerSettings settings_of(const Input& input) {
  http_under_test = server::http_service(http_of(input.control(2, 1) != 0));
  server::WorkerSettings settings;
  settings.service = http_under_test;
  settings.service.serve = serve_counted;
  settings.connections = 8;
  settings.areas = 1 + input.control(3, 1);
  settings.held = 1 + input.control(4, 1);
  settings.body_memory = 64 * 1024;
  settings.clock = read_ticks;
  return settings;
}

/// A client's end of a pair of sockets.
class Peer {
 public:
  ~Peer() { leave(); }

  void connect(server::Worker& worker, bool short_buffers) {
    int ends[2];
    if (fd_ >= 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return;
    if (short_buffers)
      setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &short_kernel_bytes, sizeof short_kernel_bytes);
    fd_ = ends[1];
    finished_ = ended_ = false;
    server::Address address;
    require(server::parse_address(address, "127.0.0.1:1"), "an address is one");
    require(worker.mailbox().send({server::Message::Kind::connection, ends[0], address}),
            "a worker has mail");
  }
  void send(std::string_view text) {
    if (fd_ >= 0 && !finished_) (void)::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  /// What is there now; true when something was.
  bool receive() {
    char octets[16 * 1024];
    bool some = false;
    for (;;) {
      const ssize_t n = fd_ < 0 ? -1 : recv(fd_, octets, sizeof octets, 0);
      ended_ = ended_ || n == 0;
      if (n <= 0) return some;
      received_.append(octets, static_cast<std::size_t>(n));
      some = true;
    }
  }
  void finish() {
    if (fd_ >= 0) shutdown(fd_, SHUT_WR);
    finished_ = true;
  }
  /// The server's end sees a reset when there is something that was not read.
  void leave() {
    if (fd_ < 0) return;
    close(fd_);
    fd_ = -1;
    finals += read_answers(received_, ended_).final;
    received_.clear();
  }

  unsigned finals = 0;  ///< answers to connections that are over

 private:
  int fd_ = -1;
  bool finished_ = false, ended_ = false;
  std::string received_;
};

class Session {
 public:
  explicit Session(Input input) : input_(input), worker_(settings_of(input_), 0) {
    // The loop's descriptor is the first that the worker opens: it tells whether an event waits.
    loop_ = dup(STDERR_FILENO);
    close(loop_);
    require(worker_.open(), "a worker opens");
    for (Peer& peer : peers_) connect(peer);
  }
  ~Session() {
    app_state().late.clear();
    app_state().wakers.clear();
  }

  void run() {
    rest();
    for (unsigned i = 0; i < most_actions && !input_.empty(); i++) act();
    rest();
  }

  /// Everybody leaves, and all comes back.
  void end() {
    app_state().late.clear();
    rest();
    for (Peer& peer : peers_) {
      while (peer.receive()) rest();
      peer.leave();
      finals_ += peer.finals;
    }
    for (unsigned i = 0; i < 4; i++) pass(80'000);
    require(worker_.connections() == 0, "a connection whose peer is gone ends");
    require(worker_.inputs().pool().used() == 0 && worker_.inputs().held_count() == 0 &&
                worker_.outputs().pool().used() == 0 && worker_.outputs().held_count() == 0,
            "all buffers come back");
    require(worker_.body_memory().used() == 0, "all memory of bodies comes back");
    require(base::chunk_cache().out() == 0, "all regions come back");
    require(app_state().live == 0, "what handlers made is destroyed");
    require(finals_ <= worker_.counters().requests + connections_, "no answer is without a request");
  }

 private:
  void connect(Peer& peer) {
    peer.connect(worker_, input_.control(1, 1) != 0);
    connections_++;
  }

  void act() {
    const unsigned what = input_.u8();
    Peer& peer = peers_[what >> 7];
    switch (what & 15) {
      case 0:
      case 1:
        peer.send(base::as_text(input_.counted()));
        break;
      case 2:
      case 3:
        peer.send(app_requests()[input_.u8() % app_requests().size()]);
        break;
      case 4:
        send_in_pieces(peer);
        break;
      case 5:
        peer.send(std::string(input_.u16() % 50'000, static_cast<char>(input_.u8())));
        break;
      case 6:
        peer.finish();
        break;
      case 7:
        peer.leave();
        break;
      case 8:
        connect(peer);
        break;
      case 9:
        ticks += 250U * input_.u8();
        break;
      case 10:
      case 11:
        answer_late();
        break;
      case 12:
        for (const http::Waker& waker : app_state().wakers) waker.wake();
        break;
      case 13:
        if (!app_state().wakers.empty()) app_state().wakers.erase(app_state().wakers.begin());
        break;
      case 14:
        (void)peer.receive();
        break;
      case 15:
        if (input_.u8() == 'd') (void)worker_.mailbox().send({server::Message::Kind::drain});
        break;
    }
    if ((what & 64) == 0) rest();
  }

  void send_in_pieces(Peer& peer) {
    std::string_view text = app_requests()[input_.u8() % app_requests().size()];
    for (const std::size_t piece = 1U + input_.u8() % 16; !text.empty(); rest()) {
      peer.send(text.substr(0, piece));
      text.remove_prefix(std::min(piece, text.size()));
    }
  }

  /// As another thread would.
  void answer_late() {
    const unsigned how = input_.u8();
    auto& late = app_state().late;
    if (late.empty()) return;
    const std::size_t which = how / 8 % late.size();
    http::Responder responder = std::move(late[which]);
    late.erase(late.begin() + static_cast<std::ptrdiff_t>(which));
    if (how % 4 == 0) return;  // dropped
    if (how % 4 == 1) return responder.text(http::status::ok, "late ", responder.request().body());
    if (how % 4 == 2) {
      responder.response().stream([rested = false](http::Stream& stream) mutable {
        if (!rested) return rested = true, app_state().wakers.push_back(stream.waker());
        stream.write("late");
        stream.end();
      });
    } else {
      responder.response().own(std::string(20'000, 'l'));
    }
    responder.send();
  }

  void pass(server::Ticks milliseconds) {
    ticks += milliseconds;
    rest();
  }

  /// Turns until there is nothing to do, with peers that read as they were told to.
  void rest() {
    for (bool more = true; more;) {
      turn_until_calm();
      more = false;
      if (input_.control(0, 1) == 0) continue;
      for (Peer& peer : peers_) more = peer.receive() || more;
    }
  }

  void turn_until_calm() {
    for (unsigned turns = 0, calm = 0; calm < 2; turns++) {
      require(turns < most_turns, "a worker with nothing to do rests");
      const unsigned before = calls;
      worker_.turn(0);
      calm = calls == before && !event_waits() ? calm + 1 : 0;
    }
  }

  [[nodiscard]] bool event_waits() const {
    pollfd events{loop_, POLLIN, 0};
    return poll(&events, 1, 0) > 0;
  }

  Input input_;
  server::Worker worker_;
  std::array<Peer, 2> peers_;
  std::uint64_t finals_ = 0;
  std::uint64_t connections_ = 0;
  int loop_ = -1;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool silent = (spdlog::set_level(spdlog::level::off), true);
  if (!silent || size < 2) return 0;
  Session session(Input({data, size}));
  session.run();
  session.end();
  return 0;
}
