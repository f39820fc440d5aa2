#include <algorithm>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <signet/server/identity_files.hpp>
#include <signet/server/machine.hpp>
#include <signet/server/server.hpp>

namespace signet::server {
namespace {

constexpr std::size_t own_descriptors = 64;
constexpr std::size_t most_connections = 4'000'000;
constexpr std::size_t least_held = 256;

Ticks ticks(Options::Duration duration) {
  return static_cast<Ticks>(std::max<std::int64_t>(1, duration.count()));
}

std::size_t connections_of(const Options& options, unsigned workers) {
  const std::size_t limit = raise_descriptor_limit();
  const std::size_t left = limit > 2 * own_descriptors ? limit - own_descriptors : own_descriptors;
  const std::size_t all = options.connections != 0 ? options.connections : std::min(left, most_connections);
  return (all + workers - 1) / workers;
}

WorkerSettings settings_of(const Options& options, const Service& service, unsigned workers) {
  WorkerSettings settings;
  settings.service = service;
  settings.tls.protocols = service.protocols;
  settings.periods = {.handshake = ticks(options.handshake_timeout),
                      .header = ticks(options.header_timeout),
                      .record = ticks(options.record_timeout),
                      .body = ticks(options.body_timeout),
                      .write = ticks(options.write_timeout),
                      .idle = ticks(options.idle_timeout)};
  settings.connections = connections_of(options, workers);
  settings.areas = options.areas;
  settings.handshakes =
      options.handshakes != 0 ? options.handshakes : std::max<std::size_t>(1, options.areas / 2);
  settings.held = std::max(options.areas, least_held);
  settings.body_memory = options.body_memory;
  return settings;
}

}  // namespace

Server::~Server() {
  stop();
  join();
  if (over_fd_ >= 0) close(over_fd_);
}

base::Result<void, std::string> Server::start(const Options& options, const Service& service) {
  const unsigned count = options.workers != 0 ? options.workers : usable_cpus();
  over_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  WorkerSettings settings = settings_of(options, service, count);
  if (auto set = set_identity(settings, options); !set) return set;
  if (auto made = make_workers(settings, count); !made) return made;
  if (auto bound = listen(options); !bound) return bound;
  start_threads();
  return {};
}

base::Result<void, std::string> Server::set_identity(WorkerSettings& settings, const Options& options) {
  if (options.plain) return {};
  if (!options.cert.empty()) {
    auto loaded = load_identity(options.cert, options.key);
    if (!loaded) return loaded.error();
    settings.tls.identity = std::move(*loaded);
    return {};
  }
  auto made = make_development_identity();
  if (!made) return made.error();
  settings.tls.identity = made->identity;
  development_sha256_ = made->sha256;
  return {};
}

base::Result<void, std::string> Server::make_workers(const WorkerSettings& settings, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    workers_.push_back(std::make_unique<Worker>(settings, i));
    if (!workers_.back()->open()) return "worker: " + std::string(std::strerror(errno));
  }
  for (auto& worker : workers_) worker->set_peers(workers_);
  return {};
}

base::Result<void, std::string> Server::listen(const Options& options) {
  for (const std::string& text : options.listen) {
    Address address;
    if (!parse_address(address, text)) return "--listen " + text + ": not HOST:PORT";
    if (!Listener::is_free(address)) return "--listen " + text + ": " + std::strerror(errno);
    for (auto& worker : workers_) {
      Listener listener;
      if (!listener.open(address)) return "--listen " + text + ": " + std::strerror(errno);
      address = listener.address();  // the others share the port that the first one got
      worker->add(std::move(listener));
    }
    addresses_.push_back(address);
  }
  for (auto& worker : workers_)
    if (!worker->watch_listeners()) return "listener: " + std::string(std::strerror(errno));
  return {};
}

void Server::start_threads() {
  running_ = workers_.size();
  for (auto& worker : workers_) {
    threads_.emplace_back([this, &worker] {
      worker->run();
      if (running_.fetch_sub(1) == 1) (void)eventfd_write(over_fd_, 1);
    });
  }
}

void Server::tell(Message::Kind kind) noexcept {
  for (auto& worker : workers_)
    while (!worker->mailbox().send({.kind = kind}) && !worker->mailbox().is_shut()) std::this_thread::yield();
}

void Server::drain() noexcept { tell(Message::Kind::drain); }
void Server::stop() noexcept { tell(Message::Kind::stop); }
void Server::report() noexcept { tell(Message::Kind::report); }

bool Server::wait_for(std::chrono::milliseconds longest) {
  pollfd over{over_fd_, POLLIN, 0};
  return threads_.empty() || poll(&over, 1, static_cast<int>(longest.count())) == 1;
}

void Server::join() {
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

Counters Server::counters() const noexcept {
  Counters all;
  for (const auto& worker : workers_) all.add(std::as_const(*worker).counters());
  return all;
}

}  // namespace signet::server
