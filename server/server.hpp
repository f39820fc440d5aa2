// A server: workers with their threads, listeners and identity. run() is the whole life of a server program.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <signet/server/options.hpp>
#include <signet/server/worker.hpp>

namespace signet::server {

/// Exit codes of a server program.
constexpr int exit_usage = 2;
constexpr int exit_start = 3;  // address or certificate
constexpr int exit_drain = 4;  // the drain's deadline came first

class Server {
 public:
  Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  /// Stops at once what still runs.
  ~Server();

  /// Binds, makes the workers and starts their threads. Called once. The reason when it fails.
  [[nodiscard]] base::Result<void, std::string> start(const Options& options, const Service& service);

  /// The bound addresses, one for each --listen, ports resolved.
  [[nodiscard]] const std::vector<Address>& addresses() const noexcept { return addresses_; }
  [[nodiscard]] std::uint16_t port() const noexcept { return addresses_.front().port; }
  /// SHA-256 of the development certificate; empty without one.
  [[nodiscard]] const std::string& development_sha256() const noexcept { return development_sha256_; }

  /// Answers what is under way, then ends. From any thread.
  void drain() noexcept;
  /// Cuts everything off. From any thread.
  void stop() noexcept;
  /// Each worker prints its report. From any thread.
  void report() noexcept;
  /// Waits until all workers are over, or for the time given; whether they are.
  [[nodiscard]] bool wait_for(std::chrono::milliseconds longest);
  /// Readable once all workers are over.
  [[nodiscard]] int over_fd() const noexcept { return over_fd_; }
  /// Joins the threads; the workers must be over.
  void join();

  /// Of all workers, once joined.
  [[nodiscard]] Counters counters() const noexcept;
  [[nodiscard]] const std::vector<std::unique_ptr<Worker>>& workers() const noexcept { return workers_; }

 private:
  [[nodiscard]] base::Result<void, std::string> set_identity(WorkerSettings& settings,
                                                             const Options& options);
  [[nodiscard]] base::Result<void, std::string> make_workers(const WorkerSettings& settings, unsigned count);
  [[nodiscard]] base::Result<void, std::string> listen(const Options& options);
  void start_threads();
  void tell(Message::Kind kind) noexcept;

  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  std::vector<Address> addresses_;
  std::string development_sha256_;
  std::atomic<std::size_t> running_ = 0;
  int over_fd_ = -1;
};

/// Serves until SIGTERM or SIGINT, then drains; a second one stops at once. SIGUSR1: the workers report.
/// Answers the program's exit code.
[[nodiscard]] int run(const Options& options, const Service& service);

}  // namespace signet::server
