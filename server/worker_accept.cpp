// A worker's way to its connections: accepting, sharing them out, and stopping where descriptors run out.
#include <unistd.h>

#include <signet/server/worker.hpp>

namespace signet::server {
namespace {

// Connections accepted in one turn at the most: each brings a handshake, and those have their own budget.
constexpr std::size_t accepts_a_turn = 16;

}  // namespace

bool Worker::watch_listeners() noexcept {
  for (Listener& listener : listeners_)
    if (!loop_.watch(listener.fd(), EPOLLIN, &listener)) return false;
  return true;
}

Listener* Worker::listener_of(const void* tag) noexcept {
  for (Listener& listener : listeners_)
    if (&listener == tag) return &listener;
  return nullptr;
}

void Worker::accept_from(Listener& listener, bool busy) noexcept {
  // With nothing else to do there is most likely one connection, and asking for another costs a call in vain.
  std::size_t budget = busy ? accepts_a_turn : 1;
  if (!signatures_.empty()) budget = (budget + 1) / 2;
  for (std::size_t i = 0; i < budget && !paused_; i++) {
    if (!listener.is_open()) return;
    if (load() >= settings_.connections && least_loaded() == nullptr) return pause_listeners();
    if (!place(listener.accept())) return;
  }
}

/// Puts an accepted connection where it belongs; false when there is nothing more to accept now.
bool Worker::place(const Accepted& accepted) noexcept {
  switch (accepted.kind) {
    case Accepted::Kind::none:
      return false;
    case Accepted::Kind::again:
      return true;
    case Accepted::Kind::exhausted:
      pause_listeners();
      return false;
    case Accepted::Kind::connection:
      break;
  }
  Worker* other = over_share() ? least_loaded() : nullptr;
  if (other != nullptr) {
    other->load_.fetch_add(1,
                           std::memory_order_relaxed);  // before it arrives, so that it is not chosen by all
    if (other->mailbox_.send({Message::Kind::connection, accepted.fd, accepted.peer})) {
      counters_.handed_over++;
      return true;
    }
    other->load_.fetch_sub(1, std::memory_order_relaxed);
  }
  load_.fetch_add(1, std::memory_order_relaxed);
  adopt(accepted.fd, accepted.peer);
  return true;
}

/// More than a quarter over an equal share, or full.
bool Worker::over_share() const noexcept {
  if (peers_.size() < 2) return false;
  std::uint64_t total = 0;
  for (const auto& peer : peers_) total += peer->load();
  const std::uint64_t share = (total + peers_.size() - 1) / peers_.size();
  return load() >= settings_.connections || load() > share + share / 4;
}

/// The other worker with the fewest connections; null when all are full or none has fewer.
Worker* Worker::least_loaded() noexcept {
  Worker* least = nullptr;
  for (const auto& peer : peers_) {
    if (peer.get() == this || peer->load() >= settings_.connections || peer->load() >= load()) continue;
    if (least == nullptr || peer->load() < least->load()) least = peer.get();
  }
  return least;
}

void Worker::pause_listeners() noexcept {
  if (paused_) return;
  paused_ = true;
  paused_at_ = now_;
  counters_.accept_pauses++;
  for (Listener& listener : listeners_)
    if (listener.is_open()) loop_.forget(listener.fd());
}

void Worker::resume_listeners() noexcept {
  if (!reached(paused_at_ + accept_pause, now_)) return;
  paused_ = false;
  for (Listener& listener : listeners_)
    if (listener.is_open() && !loop_.watch(listener.fd(), EPOLLIN, &listener)) return pause_listeners();
}

void Worker::close_listeners() noexcept {
  for (Listener& listener : listeners_) listener.close();
}

}  // namespace signet::server
