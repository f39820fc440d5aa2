// 10,000 requests answered by four threads while their clients leave as they like: every answer is counted,
// once, as delivered or as one that came too late.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <signet/signet.hpp>

namespace {

using namespace signet;

constexpr unsigned all_requests = 10'000;
constexpr unsigned answer_threads = 4;
constexpr unsigned client_threads = 4;
constexpr unsigned connections_at_once = 16;  // of a client thread
constexpr int give_up_ms = 10'000;

/// A number from 0 to `most` - 1.
unsigned below(unsigned most, std::mt19937& random) { return static_cast<unsigned>(random() % most); }

/// The threads that answer, with the requests that wait for them. Takes `all_requests` and no more.
class Answerers {
 public:
  Answerers() {
    for (unsigned i = 0; i < answer_threads; i++) threads_.emplace_back([this, i] { run(i); });
  }
  Answerers(const Answerers&) = delete;
  Answerers& operator=(const Answerers&) = delete;

  /// False: there were enough requests already.
  bool take(const Request& request) {
    const std::lock_guard lock(mutex_);
    if (taken_ == all_requests) return false;
    taken_++;
    waiting_.push_back(request.later());
    changed_.notify_one();
    return true;
  }
  [[nodiscard]] bool has_all() {
    const std::lock_guard lock(mutex_);
    return taken_ == all_requests;
  }
  /// All that was taken is answered when this returns.
  void join() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
      changed_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void run(unsigned number) {
    std::mt19937 random(number);
    for (;;) {
      Responder responder = next(random);
      if (!responder) return;
      answer(responder, random);
    }
  }

  /// Any of those that wait, so that answers overtake each other; empty when it is all over.
  Responder next(std::mt19937& random) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
    if (waiting_.empty()) return {};
    std::swap(waiting_[random() % waiting_.size()], waiting_.front());
    Responder taken = std::move(waiting_.front());
    waiting_.pop_front();
    return taken;
  }

  /// As whole text, as a string taken over, as a stream, or not at all: each is one answer.
  static void answer(Responder& responder, std::mt19937& random) {
    const std::string said = "for " + std::string(responder.request().param("n")) + "\n";
    switch (below(8, random)) {
      case 0:
        return;  // dropped: 500
      case 1:
        responder.response().own(std::string(said));
        return responder.send();
      case 2:
        responder.response().stream([said](Stream& stream) {
          stream.write(said);
          stream.end();
        });
        return responder.send();
      default:
        responder.text(status::ok, said);
    }
    responder.send();  // a second time
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Responder> waiting_;
  unsigned taken_ = 0;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

/// A client's connection; it sends its requests at once and leaves when it likes.
class Connection {
 public:
  Connection(const server::Address& to, std::mt19937& random) {
    sockaddr_storage name;
    const socklen_t size = to.to(name);
    fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd_, reinterpret_cast<sockaddr*>(&name), size) != 0) return;
    const unsigned requests = 1 + below(6, random);
    for (unsigned i = 0; i < requests; i++)
      text_ += "GET /later/" + std::to_string(random()) + " HTTP/1.1\r\nHost: x\r\n\r\n";
    (void)send(fd_, text_.data(), text_.size(), MSG_NOSIGNAL);
    stays_for_ = below(3, random) == 0 ? requests : below(requests, random);
    resets_ = below(2, random) == 0;
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    const linger at_once{1, 0};
    if (resets_) setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(fd_);
  }

  /// Reads the answers that it stays for; how many came.
  unsigned stay() {
    unsigned answers = 0;
    std::string got;
    char piece[4096];
    pollfd readable{fd_, POLLIN, 0};
    while (answers < stays_for_ && poll(&readable, 1, give_up_ms) > 0) {
      const ssize_t n = recv(fd_, piece, sizeof piece, 0);
      if (n <= 0) break;
      got.append(piece, static_cast<std::size_t>(n));
      answers = 0;
      for (std::size_t at = 0; (at = got.find("HTTP/1.1 ", at)) != got.npos; at++) answers++;
    }
    return answers;
  }

 private:
  int fd_ = -1;
  std::string text_;
  unsigned stays_for_ = 0;
  bool resets_ = false;
};

/// Connections that overlap, until the answerers have all they want; the answers that were read.
void be_clients(unsigned number, const server::Address& to, Answerers& answerers,
                std::atomic<unsigned>& answers) {
  std::mt19937 random(100 + number);
  std::deque<Connection> open;
  while (!answerers.has_all()) {
    open.emplace_back(to, random);
    if (open.size() < connections_at_once) continue;
    answers += open.front().stay();
    open.pop_front();
  }
}

/// Every client leaves before the workers do, so that each answer finds its worker there.
bool run_all(server::Server& server, Answerers& answerers) {
  std::atomic<unsigned> answers = 0;
  std::vector<std::thread> clients;
  for (unsigned i = 0; i < client_threads; i++)
    clients.emplace_back([&, i] { be_clients(i, server.addresses().front(), answerers, answers); });
  for (std::thread& client : clients) client.join();
  answerers.join();
  server.drain();
  if (!server.wait_for(std::chrono::milliseconds(give_up_ms))) return false;
  server.join();
  std::printf("%u answers were read by clients that stayed\n", answers.load());
  return answers != 0;
}

}  // namespace

int main() {
  Answerers answerers;
  App app;
  app.get("/later/{n}", [&](const Request& request, Response& response) {
    if (!answerers.take(request)) response.text(status::service_unavailable, "enough\n");
  });
  Options options;
  options.listen = {"127.0.0.1:0"};
  options.plain = true;
  options.workers = 2;
  options.log_level = "error";
  auto started = app.start(options);
  if (!started.ok()) return std::fprintf(stderr, "%s\n", started.error().c_str()), 3;
  if (!run_all(**started, answerers)) return std::puts("the server did not come to its end"), 1;
  const server::Counters counted = (*started)->counters();
  std::printf("%s\n", counted.text().c_str());
  const bool adds_up = counted.late_answers + counted.late_no_ops == all_requests;
  const bool both = counted.late_answers != 0 && counted.late_no_ops != 0;
  std::printf("late answers: %llu delivered, %llu too late, of %u: %s\n",
              static_cast<unsigned long long>(counted.late_answers),
              static_cast<unsigned long long>(counted.late_no_ops), all_requests,
              adds_up && both ? "ok" : "FAILED");
  return adds_up && both ? 0 : 1;
}
