// The way out: cells, sealing, send.
#include <algorithm>
#include <cerrno>

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <signet/server/channel.hpp>
#include <signet/server/worker.hpp>

namespace signet::server {
namespace {

// Sealed octets that may wait for the peer, in whole records.
constexpr std::size_t most_ahead = 64 * 1024;

}  // namespace

base::SendBuffer* Channel::output(std::size_t least) noexcept {
  if (phase_ != Phase::open || output_over_) return nullptr;
  if (out_ == nullptr && !lend_output()) return nullptr;
  least = std::min<std::size_t>(least, record_room().max_plaintext);  // the peer may take no larger records
  if (out_->window().size() >= least) return out_;
  seal();
  if (out_->pending().size() < most_ahead && out_->window().size() >= least) return out_;
  return send_some() ? out_ : nullptr;
}

std::size_t Channel::write_from(base::Bytes octets) noexcept {
  if (phase_ != Phase::open || output_over_) return 0;
  if (out_ == nullptr && !lend_output()) return 0;
  seal();
  std::size_t taken = 0;
  while (taken < octets.size()) {
    const std::size_t n = seal_from(octets.subspan(taken));
    taken += n;
    if (n == 0 && !send_some()) break;
  }
  return taken;
}

bool Channel::send_some() noexcept {
  if (writes_left_ == 0) {
    again();
    return false;
  }
  writes_left_--;
  return flush() && !output_over_;
}

base::RecordRoom Channel::record_room() const noexcept {
  return core_ == nullptr ? base::no_record_room : core_->record_room();
}

void Channel::seal() noexcept {
  if (out_ == nullptr || out_->cell().empty()) return;
  if (core_ != nullptr) {
    core_->seal(*out_);
  } else {
    out_->sealed(out_->cell().size());
  }
}

std::size_t Channel::seal_from(base::Bytes octets) noexcept {
  if (out_->pending().size() >= most_ahead) return 0;
  if (core_ != nullptr) return core_->seal_from(*out_, octets);
  const base::MutBytes window = out_->window();
  const std::size_t n = std::min(window.size(), octets.size());
  std::memcpy(window.data(), octets.data(), n);
  out_->wrote(n);
  out_->sealed(n);
  return n;
}

/// True when nothing sealed waits any more, because it is sent or can never be.
bool Channel::flush() noexcept {
  if (!has_unsent()) return true;
  const base::Bytes pending = out_->pending();
  const ssize_t n = send(fd_, pending.data(), pending.size(), MSG_NOSIGNAL);
  if (n < 0) {
    blocked_ = errno == EAGAIN || errno == EINTR || errno == ENOBUFS;
    if (blocked_) return false;
    output_over_ = true;
    out_->wipe();
    return true;
  }
  written_ += static_cast<std::uint32_t>(n);
  out_->sent(static_cast<std::size_t>(n));
  if (!out_->hot) worker_->outputs().make_hot(*out_);  // the peer reads: it waits anew, behind the others
  blocked_ = static_cast<std::size_t>(n) < pending.size();
  return !blocked_;
}

/// Where others wait for a buffer, each of them gets one before a long answer goes on.
void Channel::pass_on_output() noexcept {
  const bool goes_on = phase_ <= Phase::open && !output_over_;
  if (goes_on && out_->empty() && !worker_->outputs().waiters().empty()) give_back_output();
}

void Channel::give_back_output() noexcept {
  if (out_ != nullptr) worker_->outputs().give_back(*out_);
  out_ = nullptr;
}

/// Octets that the peer acknowledged, modulo 2^32.
std::uint32_t Channel::acknowledged() const noexcept {
  int queued = 0;
  if (ioctl(fd_, SIOCOUTQ, &queued) != 0) return acknowledged_;
  return written_ - static_cast<std::uint32_t>(queued);
}

}  // namespace signet::server
