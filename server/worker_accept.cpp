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
    if (!listener.is_open() || !accept_one(listener)) return;
  }
}

/// Accepts a connection when some worker has a place for it; false when there is nothing more to accept now.
bool Worker::accept_one(Listener& listener) noexcept {
  Worker* target = take_place_somewhere();
  if (target == nullptr) {
    pause_listeners();
    return false;
  }
  const Accepted accepted = listener.accept();
  if (accepted.kind == Accepted::Kind::connection) {
    target == this ? adopt(accepted.fd, accepted.peer) : hand_over(*target, accepted);
    return true;
  }
  target->give_place();
  if (accepted.kind == Accepted::Kind::exhausted) pause_listeners();
  return accepted.kind == Accepted::Kind::again;
}

/// This worker, or one with fewer connections where this one is over its share or full. The place is taken
/// before the connection is: several workers may choose the same one at once. Null when all are full.
Worker* Worker::take_place_somewhere() noexcept {
  Worker* other = over_share() ? least_loaded() : nullptr;
  if (other != nullptr && other->take_place()) return other;
  if (take_place()) return this;
  for (const auto& peer : peers_)
    if (peer->take_place()) return peer.get();
  return nullptr;
}

bool Worker::take_place() noexcept {
  std::uint32_t places = load();
  while (places < settings_.connections) {
    if (load_.compare_exchange_weak(places, places + 1, std::memory_order_relaxed)) return true;
  }
  return false;
}

void Worker::hand_over(Worker& target, const Accepted& accepted) noexcept {
  if (target.mailbox_.send({Message::Kind::connection, accepted.fd, accepted.peer})) {
    counters_.handed_over++;
    return;
  }
  target.give_place();  // its mailbox is full, or it ends
  if (take_place()) return adopt(accepted.fd, accepted.peer);
  counters_.dropped++;
  close(accepted.fd);
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
