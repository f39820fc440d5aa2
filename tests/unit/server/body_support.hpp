// What the tests of bodies, uploads and streams share: routes on a worker, and a client of either kind that
// sends in pieces.
#pragma once

#include <functional>
#include <thread>
#include <vector>

#include "tls_support.hpp"

#include <signet/http/upload.hpp>

namespace signet::test {

/// A worker that serves these routes, plain or over TLS.
struct Hosted {
  using Tweak = std::function<void(server::WorkerSettings&, server::HttpService&)>;

  std::size_t chunks_before = base::chunk_cache().out();
  std::vector<std::string> faults;  // what failed handlers said
  http::Dispatcher dispatcher;
  server::HttpService http;
  Rig rig;

  Hosted(http::Router router, bool over_tls, const Tweak& tweak = {})
      : dispatcher(
            std::move(router),
            [this](const http::Request&, std::string_view what) { faults.emplace_back(what); }, nullptr),
        rig(settings(over_tls, tweak)),
        tls(over_tls) {}

  /// No buffer is lent, no body is kept, and no region or stream is left.
  [[nodiscard]] bool clean() {
    return rig.all_free() && rig.worker.body_memory().used() == 0 &&
           base::chunk_cache().out() == chunks_before;
  }

  bool tls;

 private:
  server::WorkerSettings settings(bool over_tls, const Tweak& tweak) {
    http.dispatcher = &dispatcher;
    http.checks_host = false;
    const server::Service service = server::http_service(http);
    server::WorkerSettings settings = over_tls ? tls_settings(service) : small_settings();
    settings.service = service;
    if (tweak) tweak(settings, http);
    return settings;
  }
};

/// A client's end of either kind.
class Wire {
 public:
  explicit Wire(Hosted& hosted) : rig_(hosted.rig), socket_(hosted.rig.connect()) {
    if (!hosted.tls) return;
    client_ = std::make_unique<TlsClient>(ClientOptions{});
    for (int i = 0; i < 6 && !client_->established(); i++) pass_on();
    REQUIRE(client_->established());
    pass_on();
  }

  /// Sends in pieces of so many octets (0: whole), each a record of its own over TLS, with a turn behind
  /// each. False when the server took no more.
  bool push(std::string_view octets, std::size_t piece = 0) {
    const std::size_t step = piece != 0 ? piece : client_ ? 16384 : std::max<std::size_t>(octets.size(), 1);
    for (std::size_t at = 0; at < octets.size(); at += step) {
      const std::string_view part = octets.substr(at, step);
      if (client_ == nullptr) {
        if (!push_raw(part)) return false;
        continue;
      }
      client_->send(part);
      if (piece != 0 && !push_raw(base::as_text(client_->take_output()))) return false;
    }
    return client_ == nullptr || push_raw(base::as_text(client_->take_output()));
  }
  /// Sends octets as they are, below TLS.
  bool push_raw(std::string_view octets) { return push_some(octets) == octets.size(); }
  /// Sends of `octets` what the server takes before it stops reading; answers how many. Over TLS these are
  /// the first ones: what was sealed and not taken goes first next time.
  std::size_t offer(std::string_view octets) {
    constexpr std::size_t step = 16384;
    std::size_t at = 0;
    while (at < octets.size()) {
      if (client_ == nullptr) {
        const std::size_t n = push_some(octets.substr(at, 16 * step));
        if (n == 0) break;
        at += n;
        continue;
      }
      if (unsent_.empty()) {
        client_->send(octets.substr(at, step));
        const Octets record = client_->take_output();
        unsent_ = base::as_text(record);
        at += std::min(step, octets.size() - at);
      }
      unsent_.erase(0, push_some(unsent_));
      if (!unsent_.empty()) break;
    }
    return at;
  }
  /// Turns until nothing more comes; all that came and was not taken yet.
  std::string listen() {
    // A turn reads what one receive buffer holds; a MiB may wait in the socket.
    Deadline deadline;
    for (int idle = 0; idle < 30 || (socket_->more_comes() && !deadline.passed()); idle++) {
      rig_.turns(2);
      if (!receive()) continue;
      deadline = Deadline();
      idle = -1;
    }
    return std::exchange(heard_, {});
  }
  std::string ask(std::string_view octets, std::size_t piece = 0) {
    push(octets, piece);
    return listen();
  }
  /// Closes in order, and lets the server see it.
  void close() {
    if (client_ != nullptr && !was_cut_) {
      client_->close();
      (void)push_raw(base::as_text(client_->take_output()));
    }
    socket_->close();
    rig_.turns();
  }
  void reset() {
    socket_->reset();
    was_cut_ = true;
    rig_.turns();
  }
  [[nodiscard]] bool at_end() const { return socket_->at_end(); }
  [[nodiscard]] bool was_reset() const { return socket_->was_reset(); }
  [[nodiscard]] Peer& socket() { return *socket_; }
  /// Null without TLS.
  [[nodiscard]] TlsClient* client() { return client_.get(); }

 private:
  /// Sends until nothing is taken for a while; answers how many octets were.
  std::size_t push_some(std::string_view octets) {
    std::size_t at = 0;
    const Deadline deadline;
    const auto is_under_way = [&] { return anything_in_flight() && !deadline.passed(); };
    for (int idle = 0; at < octets.size() && (idle <= 50 || is_under_way()); idle++) {
      const std::size_t n = socket_->try_send(octets.substr(at));
      at += n;
      rig_.turns(1);
      receive();
      if (n != 0) idle = 0;
    }
    return at;
  }
  bool receive() {
    std::string in;
    socket_->receive(in);
    if (client_ == nullptr) {
      heard_ += in;
      return !in.empty();
    }
    client_->receive(base::as_bytes(in));
    heard_ += base::as_text(client_->received());
    client_->forget_received();
    return !in.empty();
  }
  void pass_on() {
    const Octets out = client_->take_output();
    if (!out.empty()) socket_->send(base::as_text(out));
    rig_.turns(3);
    receive();
  }

  Rig& rig_;
  std::unique_ptr<Peer> socket_;
  std::unique_ptr<TlsClient> client_;
  std::string heard_;
  std::string unsent_;  // of a record
  bool was_cut_ = false;
};

inline void wake_from_elsewhere(const http::Waker& waker) {
  std::thread([waker] { waker.wake(); }).join();
}

/// The client leaves, and its session is gone.
inline void check_leaves(Hosted& hosted, Wire& wire) {
  wire.close();
  hosted.rig.pass(3000);
  CHECK(hosted.rig.worker.connections() == 0);
}

/// Without the lines that say when.
inline std::string without_dates(std::string answers) {
  for (std::size_t at = 0; (at = answers.find("\r\nDate: ", at)) != answers.npos;)
    answers.erase(at, answers.find("\r\n", at + 2) - at);
  return answers;
}

/// Octets that are not the same anywhere near.
inline std::string pattern(std::size_t bytes) {
  std::string octets(bytes, ' ');
  for (std::size_t i = 0; i < bytes; i++) octets[i] = static_cast<char>('a' + (i * 31 + i / 251) % 26);
  return octets;
}

inline std::string head_of(std::string_view target, std::string_view lines) {
  return "POST " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n" + std::string(lines) + "\r\n";
}

inline std::string by_length(std::string_view target, std::string_view body, std::string_view lines = {}) {
  return head_of(target, std::string(lines) + "Content-Length: " + std::to_string(body.size()) + "\r\n") +
         std::string(body);
}

/// In chunks of so many octets, each with `extension` behind its size, and with `trailers` behind the last.
inline std::string in_chunks(std::string_view target, std::string_view body, std::size_t chunk,
                             std::string_view extension = {}, std::string_view trailers = {}) {
  std::string message = head_of(target, "Transfer-Encoding: chunked\r\n");
  for (std::size_t at = 0; at < body.size(); at += chunk) {
    const std::string_view part = body.substr(at, chunk);
    char size[20];
    message.append(size, static_cast<std::size_t>(snprintf(size, sizeof size, "%zx", part.size())));
    message.append(extension).append("\r\n").append(part).append("\r\n");
  }
  return message.append("0").append(extension).append("\r\n").append(trailers).append("\r\n");
}

constexpr std::string_view next_request = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";

}  // namespace signet::test
