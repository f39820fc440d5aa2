// The life of a server program: start, signals, drain, exit code.
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <signet/server/server.hpp>

namespace signet::server {
namespace {

int signal_pipe = -1;  // of the one Signals, its end that is written to

void on_signal(int number) noexcept {
  const int error = errno;
  const auto octet = static_cast<unsigned char>(number);
  // A full pipe holds signals enough.
  [[maybe_unused]] const ssize_t n = write(signal_pipe, &octet, 1);
  errno = error;
}

/// The signals that we serve, as a descriptor; caught before anything is loaded, so that none gets lost.
/// Handlers, not a mask and signalfd: the program may have threads of its own already, and any of them may be
/// given the signal.
class Signals {
 public:
  Signals() {
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) == 0) signal_pipe = ends_[1];
    signal(SIGPIPE, SIG_IGN);
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : served) sigaction(number, &action, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  ~Signals() {
    for (const int number : served) signal(number, SIG_DFL);
    for (const int end : ends_) close(end);
  }

  [[nodiscard]] int fd() const noexcept { return ends_[0]; }
  /// The next signal; 0 when there is none.
  [[nodiscard]] int take() noexcept {
    unsigned char number = 0;
    return read(ends_[0], &number, 1) == 1 ? number : 0;
  }

 private:
  static constexpr int served[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};
  int ends_[2] = {-1, -1};
};

void set_up_log(const Options& options) {
  spdlog::set_default_logger(spdlog::stderr_logger_mt("signet"));
  spdlog::set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
  spdlog::set_level(spdlog::level::from_str(options.log_level == "error" ? "err" : options.log_level));
}

void say_where(const Server& server, const Options& options) {
  if (!server.development_sha256().empty())
    std::fprintf(stderr, "development certificate, SHA-256 %s\n", server.development_sha256().c_str());
  for (const Address& address : server.addresses()) {
    char room[Address::text_bytes];
    const std::string text(address.text(room));
    std::fprintf(stderr, "listening on %s://%s\n", options.plain ? "http" : "https", text.c_str());
  }
}

/// True when the workers are over, false when the time is up or a second signal came.
bool finish(Server& server, Signals& signals, std::chrono::milliseconds longest) {
  const auto end = std::chrono::steady_clock::now() + longest;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waits[] = {{signals.fd(), POLLIN, 0}, {server.over_fd(), POLLIN, 0}};
    (void)poll(waits, 2, static_cast<int>(left.count()));
    if (waits[1].revents != 0) return true;
    const int number = signals.take();
    if (number == SIGTERM || number == SIGINT) return false;
    if (number == SIGUSR1) server.report();
  }
}

/// Returns at the first SIGTERM or SIGINT.
void serve(Server& server, Signals& signals) {
  for (;;) {
    pollfd wait{signals.fd(), POLLIN, 0};
    (void)poll(&wait, 1, -1);
    const int number = signals.take();
    if (number == SIGTERM || number == SIGINT) return;
    if (number == SIGUSR1) server.report();
  }
}

}  // namespace

int run(const Options& options, const Service& service) {
  Signals signals;
  set_up_log(options);
  Server server;
  if (const auto started = server.start(options, service); !started) {
    std::fprintf(stderr, "%s\n", started.error().c_str());
    return exit_start;
  }
  say_where(server, options);
  serve(server, signals);
  server.drain();
  const bool drained = finish(server, signals, options.drain);
  server.stop();
  server.join();
  spdlog::info("{}", server.counters().text());
  if (!drained) spdlog::warn("not everything was answered before the end");
  return drained ? 0 : exit_drain;
}

}  // namespace signet::server
