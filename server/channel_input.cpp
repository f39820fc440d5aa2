// The way in: recv, the TLS engine's events, leases.
#include <cerrno>

#include <sys/socket.h>

#include <signet/server/channel.hpp>
#include <signet/server/worker.hpp>
#include <signet/tls/record_layout.hpp>

namespace signet::server {
namespace {

// recv wants room for a whole record; what is there moves to the front of the buffer for it.
constexpr std::size_t least_room = tls::max_record_bytes;

constexpr std::string_view plain_http_answer =
    "HTTP/1.1 400 Bad Request\r\n"
    "Content-Type: text/plain\r\n"
    "Content-Length: 58\r\n"
    "Connection: close\r\n"
    "\r\n"
    "This port speaks HTTPS, and a plain HTTP request was sent.";

}  // namespace

bool Channel::read() noexcept { return phase_ == Phase::open && pull(); }

base::MutBytes Channel::plaintext() noexcept { return in_ == nullptr ? base::MutBytes{} : in_->plaintext(); }

bool Channel::read_to(base::MutBytes place, std::size_t& taken) noexcept {
  taken = 0;
  if (phase_ != Phase::open) return false;
  const bool came = pull(place);
  if (in_ == nullptr) return came;
  taken = in_->outside_bytes();
  in_->open_outside({});
  return came || taken != 0;
}

bool Channel::fits(std::uint64_t n) const noexcept { return in_->fits(n, least_room); }

bool Channel::pull(base::MutBytes outside) noexcept {
  if (reads_left_ == 0) {
    if (in_ != nullptr && !in_->raw().empty()) again();
    return false;
  }
  reads_left_--;
  if (!lend_both()) return false;
  in_->open_outside(outside);
  for (;;) {
    switch (advance()) {
      case Step::data:
        return true;
      case Step::stop:
        return false;
      case Step::input:
        if (received_ || !receive()) return false;
    }
  }
}

bool Channel::lend_both() noexcept {
  if (core_ != nullptr && core_->needs_area() && !lend_area()) return false;
  if (out_ == nullptr && !lend_output()) return false;
  if (in_ == nullptr) in_ = worker_->inputs().lend(*this);
  if (in_ == nullptr) enqueue(Queue::input);
  return in_ != nullptr;
}

bool Channel::lend_output() noexcept {
  out_ = worker_->outputs().lend(*this, record_room());
  if (out_ == nullptr) enqueue(Queue::output);
  return out_ != nullptr;
}

bool Channel::lend_area() noexcept {
  Handshaking* area = worker_->areas().lend(*this);
  if (area != nullptr) {
    core_->lend_area(*area);
  } else {
    enqueue(Queue::area);
  }
  return area != nullptr;
}

void Channel::give_back_area() noexcept {
  Handshaking* lent = area();
  if (lent == nullptr) return;
  (void)core_->take_area();
  worker_->areas().give_back(*lent);
}

/// What its core was lent; null when it has none.
Handshaking* Channel::area() noexcept {
  tls::HandshakeArea* lent = core_ == nullptr ? nullptr : core_->take_area();
  if (lent != nullptr) core_->lend_area(*lent);
  return static_cast<Handshaking*>(lent);
}

bool Channel::receive() noexcept {
  received_ = true;
  const base::MutBytes room = in_->room(least_room);
  input_full_ = room.empty() || (core_ != nullptr && tls::Connection::missing(*in_) > room.size());
  if (input_over_ || input_full_) return false;
  const ssize_t n = recv(fd_, room.data(), room.size(), 0);
  if (n > 0) {
    heard_ = true;
    in_->received(static_cast<std::size_t>(n));
    return true;
  }
  if (n == 0) {
    on_input_end();
  } else if (errno != EAGAIN && errno != EINTR) {
    end(heard_ ? Cause::peer_gone : Cause::probe);
  }
  return false;
}

void Channel::on_input_end() noexcept {
  input_over_ = true;
  if (!heard_) return end(Cause::probe);
  if (phase_ == Phase::handshake) return end(Cause::peer_gone);
  // A peer that closes between messages without close_notify is common, and loses nothing.
  final_ = in_->empty() ? Cause::peer_closed : Cause::truncated;
}

Channel::Step Channel::advance() noexcept {
  const std::size_t raw_before = in_->raw().size();
  if (core_ == nullptr) {
    if (raw_before == 0) return Step::input;
    in_->accept_plain();
    return Step::data;
  }
  const tls::Event event = core_->next(*in_, *out_);
  if (in_->raw().size() != raw_before) {
    begun_ = true;
    TimerLink<RecordTag>::unlink();  // that record is whole
  }
  switch (event.kind) {
    case tls::Event::Kind::data:
      return Step::data;
    case tls::Event::Kind::handshake_done:
      on_established();
      return advance();
    case tls::Event::Kind::peer_closed:
      input_over_ = true;
      final_ = Cause::peer_closed;
      if (phase_ == Phase::handshake) end(Cause::peer_gone);
      return Step::stop;
    case tls::Event::Kind::failed:
      on_failure(event.failure);
      return Step::stop;
    case tls::Event::Kind::wait:
      return on_wait(event.wait);
  }
  return Step::stop;
}

Channel::Step Channel::on_wait(tls::Wait wait) noexcept {
  switch (wait) {
    case tls::Wait::input:
      return Step::input;
    case tls::Wait::flush:
      return flush() && !output_over_ ? advance() : Step::stop;
    case tls::Wait::area:
      return lend_area() ? advance() : Step::stop;
    case tls::Wait::signature:
      enqueue(Queue::signature);
      return Step::stop;
  }
  return Step::stop;
}

void Channel::on_established() noexcept {
  phase_ = Phase::open;
  counters().handshakes++;
  give_back_area();
  expect_anew(Expect::idle);
}

void Channel::on_failure(const tls::Failure& failure) noexcept {
  final_ = Cause::tls_failure;
  worker_->on_tls_failure(*this, failure);
  if (failure.reason == tls::Reason::plain_http_request) answer_plain_http();
  if (failure.reason == tls::Reason::peer_alert) input_over_ = true;  // it closes on its own
  leave_queue();
  phase_ = Phase::closing;
  give_back_area();
}

void Channel::answer_plain_http() noexcept {
  out_->wipe();
  out_->set_record_room(base::no_record_room);
  const base::MutBytes window = out_->window();
  std::memcpy(window.data(), plain_http_answer.data(), plain_http_answer.size());
  out_->wrote(plain_http_answer.size());
  out_->sealed(plain_http_answer.size());
}

}  // namespace signet::server
