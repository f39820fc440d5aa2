#include <cerrno>

#include <sys/socket.h>
#include <unistd.h>

#include <signet/server/channel.hpp>
#include <signet/server/worker.hpp>

namespace signet::server {
namespace {

// Of one turn; a channel that could do more goes on in the next one, behind the others.
constexpr std::uint8_t reads_a_turn = 16;  // data events
constexpr std::uint8_t writes_a_turn = 4;  // full send buffers

// What a peer may send after our end before it is cut off.
constexpr std::uint32_t most_lingering = 256 * 1024;

// What a peer that did not do it in time is ended for.
Cause timeout_of(Expect late) noexcept {
  switch (late) {
    case Expect::handshake:
      return Cause::handshake_timeout;
    case Expect::idle:
      return Cause::idle_timeout;
    case Expect::header:
      return Cause::header_timeout;
    case Expect::body:
      return Cause::body_timeout;
    case Expect::linger:
      return Cause::linger_timeout;
    case Expect::nothing:
      break;
  }
  return Cause::closed;
}

}  // namespace

Channel::Channel(Worker& worker, tls::Connection* core, int fd, const Address& peer) noexcept
    : worker_(&worker),
      core_(core),
      fd_(fd),
      peer_(peer),
      phase_(core == nullptr ? Phase::open : Phase::handshake) {
  expect_anew(core == nullptr ? Expect::idle : Expect::handshake);
}

bool Channel::draining() const noexcept { return worker_->draining(); }
Ticks Channel::now() const noexcept { return worker_->now(); }
const void* Channel::context() const noexcept { return worker_->service().context; }
Counters& Channel::counters() noexcept { return worker_->counters(); }
bool Channel::count_body(BodyBuffer& buffer, std::size_t bytes) noexcept {
  return worker_->count_body(buffer, bytes);
}
void Channel::note_body(BodyBuffer& buffer) noexcept { worker_->note_body(buffer); }
std::size_t Channel::body_memory_limit() const noexcept { return worker_->body_memory().limit(); }
http::Awaiting& Channel::awaiting() noexcept { return worker_->awaiting(); }
std::uint32_t Channel::index() const noexcept { return worker_->index_of(*this); }
void Channel::set_awaited(std::uint64_t exchange) noexcept { worker_->set_awaited(*this, exchange); }

bool Channel::is_for(std::string_view host) noexcept {
  if (core_ == nullptr) return true;
  const tls::Identity& identity = worker_->identity();
  if (identity.names().empty()) return true;
  host_name_ = identity.covers(tls::host_without_port(host), host_name_);
  return host_name_ != 0;
}

void Channel::on_event(std::uint32_t events) noexcept {
  const bool gone = (events & (EPOLLHUP | EPOLLERR)) != 0;
  if (phase_ == Phase::over || queue_ == Queue::ready) return;  // a ready one is served in this turn anyhow
  if (phase_ == Phase::lingering) return linger();
  // Nobody reads an answer, and a report that cannot be acted on would come again and again.
  if (gone && (queue_ != Queue::none || interest_ == 0)) return end(Cause::peer_gone);
  if (queue_ == Queue::none) run();
}

void Channel::run() noexcept {
  leave_queue();
  begin_turn();
  if (phase_ == Phase::over) return;
  if (has_unsent()) {
    if (!flush()) return settle();
    pass_on_output();
  }
  if (phase_ == Phase::handshake) (void)pull();
  serve();
  settle();
}

/// Goes on where it was stopped: mostly in the turn that brought the ClientHello, of which more need not be
/// asked.
void Channel::sign() noexcept {
  leave_queue();
  core_->sign();
  (void)pull();
  serve();
  settle();
}

void Channel::begin_turn() noexcept {
  reads_left_ = reads_a_turn;
  writes_left_ = writes_a_turn;
  received_ = false;
  blocked_ = false;
}

void Channel::serve() noexcept {
  if (phase_ == Phase::open) worker_->service().serve(*this);
}

void Channel::close() noexcept {
  if (phase_ > Phase::open) return;
  if (out_ != nullptr) {
    if (core_ != nullptr) {
      core_->close(*out_);
    } else {
      seal();
    }
  }
  phase_ = Phase::closing;
}

void Channel::end(Cause cause) noexcept {
  if (phase_ == Phase::over) return;
  if (phase_ == Phase::open && !output_over_) {  // complete answers may be in front of what could not go on
    seal();
    flush();
  }
  phase_ = Phase::over;
  leave_queue();
  TimerLink<PhaseTag>::unlink();
  TimerLink<RecordTag>::unlink();
  TimerLink<WriteTag>::unlink();
  // What it holds comes back at the end of the turn: there is nothing left to give way.
  if (Handshaking* lent = area()) lent->unlink();
  if (in_ != nullptr) in_->unlink();
  if (out_ != nullptr) out_->unlink();
  worker_->on_end(*this, cause);
}

void Channel::dismantle() noexcept {
  end_app();
  give_back_area();
  if (in_ != nullptr) worker_->inputs().give_back(*in_);
  in_ = nullptr;
  give_back_output();
}

void Channel::end_app() noexcept {
  if (app != nullptr && worker_->service().end != nullptr) worker_->service().end(*this);
  app = nullptr;
}

void Channel::close_if_idle() noexcept {
  const bool holds_nothing = app == nullptr && in_ == nullptr && out_ == nullptr && queue_ == Queue::none;
  if (phase_ == Phase::handshake && holds_nothing && !heard_) return end(Cause::stopped);
  if (phase_ != Phase::open) return;
  if (expect_ == Expect::header || expect_ == Expect::idle)
    expect_anew(expect_);  // by a drain's shorter timer
  if (!holds_nothing) return;
  close();
  settle();
}

// Timers.

void Channel::expect(Expect what) noexcept {
  if (what != expect_) expect_anew(what);
}

void Channel::expect_anew(Expect what) noexcept {
  if (phase_ == Phase::over) return;  // what is over is in no list when it is freed
  expect_ = what;
  if (auto* timers = worker_->timers_of(what)) {
    timers->arm(*this, worker_->now());
  } else {
    TimerLink<PhaseTag>::unlink();
  }
}

void Channel::on_phase_timer() noexcept {
  const Expect late = expect_;
  expect_ = Expect::nothing;
  if (late == Expect::nothing) return;
  if (late == Expect::handshake) return end(timeout_of(late));
  // A peer that was late before is named for that.
  if (late == Expect::linger) return end(is_fault(final_) ? final_ : timeout_of(late));
  // While it waits for us, the peer is not late.
  if (queue_ != Queue::none) return expect(late);
  final_ = timeout_of(late);
  begin_turn();
  expired_ = late;
  if (late != Expect::idle) serve();
  expired_ = Expect::nothing;
  // There is no buffer to say so: once more.
  if (phase_ == Phase::open && queue_ == Queue::output) return expect_anew(late);
  close();
  settle();
}

void Channel::on_record_timer() noexcept {
  if (phase_ != Phase::open) return end(Cause::record_timeout);
  final_ = Cause::record_timeout;
  close();
  settle();
}

void Channel::on_write_timer() noexcept {
  const std::uint32_t acknowledged_now = acknowledged();
  if (acknowledged_now != acknowledged_) write_stalls_ = 0;
  acknowledged_ = acknowledged_now;
  if (++write_stalls_ > Worker::write_looks) return end(Cause::write_timeout);
  worker_->arm_write(*this);
}

// The end of a call.

void Channel::become_ready() noexcept {
  leave_queue();
  again();
}

void Channel::resume() noexcept {
  if (queue_ == Queue::none && phase_ == Phase::open) again();
}

void Channel::again() noexcept { enqueue(Queue::ready); }

void Channel::enqueue(Queue queue) noexcept {
  if (queue_ != Queue::none || phase_ == Phase::over) return;
  queue_ = queue;
  worker_->queue_of(queue).push_back(*this);
}

void Channel::leave_queue() noexcept {
  base::Link<QueueTag>::unlink();
  queue_ = Queue::none;
}

void Channel::settle() noexcept {
  // A signature is made in this turn or soon: what is written leaves with what it makes, and epoll is not
  // troubled.
  if (queue_ == Queue::signature) return settle_area(), settle_input();
  const bool was_blocked = blocked_;
  if (phase_ == Phase::open) seal();
  flush();
  // There is room again already, of which epoll will not speak.
  if (was_blocked && !has_unsent() && phase_ <= Phase::open) again();
  if (output_over_) read_last_words();
  const bool waits = queue_ != Queue::none || has_unsent() || app != nullptr;
  if (phase_ == Phase::open && input_over_ && !waits && plaintext().empty()) {
    close();
    flush();
  }
  if (phase_ == Phase::closing && !has_unsent()) finish_close();
  if (phase_ == Phase::over) return;
  settle_area();
  settle_input();
  settle_output();
  settle_timers();
  settle_interest();
}

void Channel::read_last_words() noexcept {
  if (core_ != nullptr && phase_ <= Phase::open && !received_)
    while (pull()) in_->consume(in_->plaintext().size());
  end(phase_ == Phase::closing ? final_ : Cause::peer_gone);
}

void Channel::finish_close() noexcept {
  if (core_ != nullptr && !output_over_) {
    // A close_notify that finds no buffer waits for one, as those that do not read give way.
    if (out_ == nullptr && !lend_output()) return;
    core_->close(*out_);  // also one that found no room before
  }
  if (has_unsent() && !flush()) return;
  leave_queue();
  // What was received and not read would make the kernel reset the connection, and take the answer along.
  const bool unread = in_ != nullptr && !in_->raw().empty();
  if ((input_over_ && !unread) || output_over_) return end(final_);
  end_app();  // what is not answered by now never is
  (void)shutdown(fd_, SHUT_WR);
  phase_ = Phase::lingering;
  acknowledged_ = 0;
  input_full_ = false;  // what comes is thrown away
  expect_anew(Expect::linger);
}

void Channel::linger() noexcept {
  std::uint8_t thrown_away[16 * 1024];  // MSG_TRUNC: the kernel copies nothing
  for (int i = 0; i < reads_a_turn; i++) {
    const ssize_t n = recv(fd_, thrown_away, sizeof thrown_away, MSG_TRUNC | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) return end(final_);
    acknowledged_ += static_cast<std::uint32_t>(n);
    if (acknowledged_ > most_lingering) return end(Cause::linger_excess);
  }
}

void Channel::settle_area() noexcept {
  if (phase_ != Phase::handshake) return;
  // An area is for handshakes that began: a first record that does not come whole must not keep it.
  if (!begun_) return give_back_area();
  if (Handshaking* lent = area()) worker_->areas().let_give_way(*lent, awaits_handshake(), now());
}

void Channel::settle_input() noexcept {
  if (in_ == nullptr) return;
  if (phase_ > Phase::open || in_->empty()) {
    worker_->inputs().give_back(*in_);
    in_ = nullptr;
    return;
  }
  if (in_->hot && queue_ != Queue::ready) in_ = worker_->hold(*in_);
  worker_->inputs().let_give_way(*in_, may_give_way(), now());
}

void Channel::settle_output() noexcept {
  if (out_ == nullptr) return;
  if (has_unsent()) return worker_->hold(*out_);
  // One that waits for an input buffer keeps its output buffer: both must come together.
  if (out_->empty() && queue_ != Queue::input) give_back_output();
}

void Channel::settle_timers() noexcept {
  const bool reads = queue_ == Queue::none && !has_unsent() && !input_held_;
  TimerLink<RecordTag>& record = *this;
  if (core_ == nullptr || in_ == nullptr || !reads || tls::Connection::missing(*in_) == 0) {
    record.unlink();
  } else if (!record.linked()) {
    worker_->arm_record(*this);
  }
  TimerLink<WriteTag>& write = *this;
  if (!has_unsent()) {
    write.unlink();
  } else if (!write.linked()) {
    write_stalls_ = 0;
    acknowledged_ = acknowledged();
    worker_->arm_write(*this);
  }
}

void Channel::settle_interest() noexcept {
  if (queue_ == Queue::ready) return;
  const Condition now{.input_over = input_over_,
                      .waits = queue_ != Queue::none || input_full_ || input_held_,
                      .unsent = has_unsent()};
  const auto wanted = static_cast<std::uint8_t>(interest(now));
  if (wanted == interest_) return;
  interest_ = wanted;
  worker_->loop().change(fd_, wanted, this);
}

}  // namespace signet::server
