// Answers any method and any target with 200 and the request's own body, and says what it saw in X-Method and
// X-Target: what tests from outside compare with what they sent. A request with "X-Late: 50" is answered so
// many milliseconds later, by another thread.
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include <signet/signet.hpp>

namespace {

using signet::field;
using signet::Request;
using signet::Responder;
using signet::Response;
using Clock = std::chrono::steady_clock;

void echo(const Request& request, Response& response) {
  response.header("X-Method", request.method_string());
  response.header("X-Target", request.target());
  response.header(field::content_type, "application/octet-stream");
  response.view(request.body());
}

/// Gives each late answer when it is due, from one thread, which is there before the server is: it may be the
/// one that the kernel gives a signal to.
class LateAnswers {
 public:
  LateAnswers() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void add(Clock::time_point due, Responder responder) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(due, std::move(responder));
    changed_.notify_one();
  }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      if (waiting_.empty()) {
        changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
      } else if (waiting_.begin()->first > Clock::now()) {
        changed_.wait_until(lock, stop, waiting_.begin()->first, [] { return false; });
      } else {
        give(std::move(waiting_.extract(waiting_.begin()).mapped()));
      }
    }
  }

  static void give(Responder responder) {
    echo(responder.request(), responder.response());
    responder.send();
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<Clock::time_point, Responder> waiting_;
  std::jthread thread_;  // the last member: it ends first
};

std::chrono::milliseconds lateness(const Request& request) {
  const std::string_view text = request.header("X-Late");
  unsigned milliseconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), milliseconds);
  return std::chrono::milliseconds(milliseconds);
}

}  // namespace

int main(int argc, char** argv) {
  signet::Options options;
  if (const auto code = options.parse(argc, argv, "Answers requests with what it saw of them")) return *code;
  LateAnswers late;
  signet::App app;
  app.any_host();
  app.otherwise([&late](const Request& request, Response& response) {
    if (!request.has("X-Late")) return echo(request, response);
    late.add(Clock::now() + lateness(request), request.later());
  });
  return app.run(options);
}
