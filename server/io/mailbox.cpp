#include <sys/eventfd.h>
#include <unistd.h>

#include <signet/server/io/mailbox.hpp>

namespace signet::server {

Mailbox::~Mailbox() {
  if (event_ >= 0) close(event_);
}

bool Mailbox::open() noexcept {
  event_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return event_ >= 0;
}

bool Mailbox::send(const Message& message) noexcept {
  const std::lock_guard lock(mutex_);
  if (shut_ || count_ == most) return false;
  ring_[(first_ + count_) % most] = message;
  if (count_++ == 0) (void)eventfd_write(event_, 1);
  return true;
}

bool Mailbox::take(Message& message) noexcept {
  const std::lock_guard lock(mutex_);
  if (count_ == 0) return false;
  message = ring_[first_];
  first_ = (first_ + 1) % most;
  eventfd_t ignored = 0;
  if (--count_ == 0) (void)eventfd_read(event_, &ignored);
  return true;
}

bool Mailbox::is_shut() noexcept {
  const std::lock_guard lock(mutex_);
  return shut_;
}

void Mailbox::shut() noexcept {
  const std::lock_guard lock(mutex_);
  shut_ = true;
}

}  // namespace signet::server
