#include <unistd.h>

#include <signet/server/worker.hpp>

namespace signet::server {
namespace {

// Signatures made in one turn: some 40 microseconds each, between which others are served.
constexpr unsigned handshake_budget = 4;
// Quiet for so long, a worker gives unused memory back.
constexpr Ticks quiet = 1000;

}  // namespace

Worker::Worker(const WorkerSettings& settings, unsigned index)
    : settings_(settings),
      index_(index),
      handshake_timers_(settings.periods.handshake),
      idle_timers_(settings.periods.idle),
      header_timers_(settings.periods.header),
      body_timers_(settings.periods.body),
      linger_timers_(settings.periods.linger),
      record_timers_(settings.periods.record),
      write_timers_((settings.periods.write + write_looks - 1) / write_looks),
      body_memory_(settings.body_memory),
      awaited_(nullptr, std::free) {
  now_ = settings_.clock();
}

Worker::~Worker() {
  end_all();
  reap();
  close_posts();
}

bool Worker::open() {
  const bool tls = settings_.tls.identity != nullptr;
  const std::size_t areas = tls ? settings_.handshakes : 1;
  const std::size_t cores = tls ? settings_.connections : 1;
  const bool reserved = channels_.reserve(settings_.connections) && cores_.reserve(cores) &&
                        areas_.reserve(areas, 0) && inputs_.reserve(settings_.areas, settings_.held) &&
                        outputs_.reserve(settings_.areas, settings_.held);
  return reserved && loop_.open() && mailbox_.open() && loop_.watch(mailbox_.fd(), EPOLLIN, nullptr) &&
         open_posts();
}

void Worker::run() noexcept {
  while (!over()) turn(-1);
  close_listeners();
  end_all();
  reap();
  close_posts();
  mailbox_.shut();
  Message message;
  while (mailbox_.take(message))
    if (message.kind == Message::Kind::connection) close(message.fd);
  base::chunk_cache().trim(0);
}

void Worker::turn(int longest) noexcept {
  const std::span<const epoll_event> events = loop_.wait(wait_for(longest));
  now_ = settings_.clock();
  for (const epoll_event& event : events) dispatch(event, events.size() > 1);
  run_ready();
  run_signatures();
  expire();
  // The turn after a drain began has seen what was on its way, unless there was more than one wait can tell
  // of.
  if (drain_ == Drain::looked && events.size() < Loop::most_events) close_idle();
  if (drain_ == Drain::begun) drain_ = Drain::looked;
  finish_turn();
  trim_when_quiet(!events.empty());
}

int Worker::wait_for(int longest) noexcept {
  if (!ready_.empty() || !signatures_.empty() || drain_ == Drain::looked) return 0;
  int wait = longest;
  for (auto* timers : {&handshake_timers_, &idle_timers_, &header_timers_, &body_timers_, &linger_timers_})
    timers->shorten(wait, now_);
  record_timers_.shorten(wait, now_);
  write_timers_.shorten(wait, now_);
  if (outputs_.overfull()) wake_for(outputs_.first_to_give_way(), wait);
  if (areas_.is_short()) wake_for(areas_.first_to_give_way(), wait);
  const bool must_wake = paused_ || !trimmed_;
  const Ticks at = paused_ ? paused_at_ + accept_pause : active_at_ + quiet;
  if (!must_wake) return wait;
  const int left = reached(at, now_) ? 0 : static_cast<int>(at - now_);
  return wait < 0 || left < wait ? left : wait;
}

/// Wakes when the patience with the first one is over.
void Worker::wake_for(const Lent* first, int& wait) const noexcept {
  if (first == nullptr) return;
  const Ticks at = first->since + patience;
  const int left = reached(at, now_) ? 0 : static_cast<int>(at - now_);
  if (wait < 0 || left < wait) wait = left;
}

void Worker::dispatch(const epoll_event& event, bool busy) noexcept {
  void* tag = event.data.ptr;
  if (tag == nullptr) {
    read_mail();
  } else if (tag == &posts_) {
    read_posts();
  } else if (Listener* listener = listener_of(tag)) {
    accept_from(*listener, busy);
  } else {
    static_cast<Channel*>(tag)->on_event(event.events);
  }
}

void Worker::read_mail() noexcept {
  Message message;
  while (mailbox_.take(message)) {
    switch (message.kind) {
      case Message::Kind::connection:
        adopt(message.fd, message.peer);
        break;
      case Message::Kind::drain:
        begin_drain();
        break;
      case Message::Kind::stop:
        stopped_ = true;
        break;
      case Message::Kind::report:
        print_report();
        break;
    }
  }
}

// Each one once: what becomes ready meanwhile comes next turn.
void Worker::run_ready() noexcept {
  WaitQueue now;
  ready_.move_all_to(now);
  while (!now.empty()) now.pop_front().run();
}

void Worker::run_signatures() noexcept {
  for (unsigned i = 0; i < handshake_budget && !signatures_.empty(); i++) signatures_.pop_front().sign();
}

void Worker::expire() noexcept {
  for (auto* timers : {&handshake_timers_, &idle_timers_, &header_timers_, &body_timers_, &linger_timers_})
    while (Channel* late = timers->expired(now_)) late->on_phase_timer();
  while (Channel* late = record_timers_.expired(now_)) late->on_record_timer();
  while (Channel* late = write_timers_.expired(now_)) late->on_write_timer();
}

void Worker::finish_turn() noexcept {
  relieve_outputs();
  relieve_areas();
  reap();
  serve_waiters();
  if (paused_) resume_listeners();
}

/// What came back in this turn goes to those that wait, in order; they are served in the next turn.
void Worker::serve_waiters() noexcept {
  while (areas_.can_serve()) {
    Channel& channel = areas_.waiters().pop_front();
    channel.core_->lend_area(*areas_.lend_to_waiter(channel));
    channel.become_ready();
  }
  while (outputs_.can_serve()) {
    Channel& channel = outputs_.waiters().pop_front();
    channel.out_ = outputs_.lend_to_waiter(channel, channel.record_room());
    channel.become_ready();
  }
  while (inputs_.can_serve()) {
    Channel& channel = inputs_.waiters().pop_front();
    channel.in_ = inputs_.lend_to_waiter(channel);
    channel.become_ready();
  }
}

void Worker::reap() noexcept {
  const bool freed = !dead_.empty();
  while (!dead_.empty()) {
    Channel& channel = dead_.pop_front();
    channel.dismantle();
    close(channel.fd_);
    channel.base::Link<AllTag>::unlink();
    cores_.give(channel.core_);
    channels_.give(&channel);
    give_place();
  }
  if (freed && paused_) paused_at_ = now_ - accept_pause;
}

void Worker::adopt(int fd, const Address& peer) noexcept {
  tls::Connection* core = nullptr;
  const bool tls = settings_.tls.identity != nullptr;
  if (tls) core = cores_.take(settings_.tls, keys_);
  Channel* channel = tls && core == nullptr ? nullptr : channels_.take(*this, core, fd, peer);
  if (channel == nullptr || !loop_.watch(fd, EPOLLIN, channel)) {
    if (channel != nullptr) channel->TimerLink<PhaseTag>::unlink();
    channels_.give(channel);
    cores_.give(core);
    close(fd);
    counters_.dropped++;
    give_place();
    return;
  }
  counters_.accepted++;
  all_.push_back(*channel);
}

void Worker::begin_drain() noexcept {
  if (draining()) return;
  for (Listener& listener : listeners_)
    while (listener.is_open() && accept_one(listener)) {
    }
  close_listeners();
  drain_ = Drain::begun;
  awaiting_.draining = true;
  all_.for_each([](Channel& channel) { channel.tell_of_drain(); });
}

// Only after a turn in which what had arrived was looked at: a request that was on its way is answered.
void Worker::close_idle() noexcept {
  drain_ = Drain::closing;
  all_.for_each([](Channel& channel) { channel.close_if_idle(); });
}

void Worker::end_all() noexcept {
  all_.for_each([](Channel& channel) { channel.end(Cause::stopped); });
}

Received* Worker::hold(Received& hot) noexcept {
  if (inputs_.held_free() == 0) relieve_inputs(*hot.owner);
  return inputs_.hold(hot);
}

/// Behind an unread answer a peer may keep a receive buffer too: it goes before a half that may soon be
/// whole.
void Worker::relieve_inputs(const Channel& newcomer) noexcept {
  Sending* slow = outputs_.first_to_give_way();
  const bool keeps_input = slow != nullptr && slow->owner != &newcomer && slow->owner->in_ != nullptr;
  if (keeps_input && end_longest(slow, Cause::slow_reader)) return;
  if (Received* oldest = inputs_.first_to_give_way()) give_way(*oldest, Cause::gave_way);
}

void Worker::hold(Sending& blocked) noexcept {
  outputs_.make_held(blocked);
  outputs_.let_give_way(blocked, true, now_);
  relieve_outputs();
}

void Worker::relieve_outputs() noexcept {
  while (outputs_.overfull() && end_longest(outputs_.first_to_give_way(), Cause::slow_reader)) {
  }
}

/// One a turn at the most: who waits gets it at the end of this one.
void Worker::relieve_areas() noexcept {
  if (areas_.is_short()) (void)end_longest(areas_.first_to_give_way(), Cause::slow_handshake);
}

bool Worker::count_body(BodyBuffer& buffer, std::size_t bytes) noexcept {
  if (bytes <= buffer.counted()) return true;
  if (bytes > body_memory_.limit()) return false;
  note_body(buffer);  // it filled what it had; nor may it be the one that gives way
  while (!buffer.count(body_memory_, bytes))
    if (!end_longest(body_memory_.longest(), Cause::gave_way)) return false;
  return true;
}

/// Whether there is one whose patience is over; it gives way.
bool Worker::end_longest(Lent* longest, Cause cause) noexcept {
  if (longest == nullptr || !reached(longest->since + patience, now_)) return false;
  give_way(*longest, cause);
  return true;
}

void Worker::give_way(Lent& lent, Cause cause) noexcept {
  Channel& owner = *lent.owner;
  owner.end(cause);
  owner.dismantle();
}

WaitQueue& Worker::queue_of(Channel::Queue queue) noexcept {
  switch (queue) {
    case Channel::Queue::area:
      return areas_.waiters();
    case Channel::Queue::input:
      return inputs_.waiters();
    case Channel::Queue::output:
      return outputs_.waiters();
    case Channel::Queue::signature:
      return signatures_;
    case Channel::Queue::ready:
    case Channel::Queue::none:
      break;
  }
  return ready_;
}

Timers<Channel, PhaseTag>* Worker::timers_of(Expect what) noexcept {
  switch (what) {
    case Expect::nothing:
      return nullptr;
    case Expect::handshake:
      return &handshake_timers_;
    case Expect::idle:
      return draining() ? &linger_timers_ : &idle_timers_;  // a drain does not wait for requests,
    case Expect::header:
      return draining() ? &linger_timers_ : &header_timers_;  // nor long for the rest of their heads
    case Expect::body:
      return &body_timers_;
    case Expect::linger:
      return &linger_timers_;
  }
  return nullptr;
}

void Worker::trim_when_quiet(bool active) noexcept {
  if (active) {
    active_at_ = now_;
    trimmed_ = false;
  } else if (!trimmed_ && now_ - active_at_ >= quiet) {
    trimmed_ = true;
    areas_.trim();
    inputs_.trim();
    outputs_.trim();
    channels_.trim();
    cores_.trim();
    base::chunk_cache().trim(0);
  }
}

}  // namespace signet::server
