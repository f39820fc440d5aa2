#include <unistd.h>

#include <signet/server/io/loop.hpp>

namespace signet::server {
namespace {

bool control(int epoll, int operation, int fd, std::uint32_t events, void* tag) noexcept {
  epoll_event event{};
  event.events = events;
  event.data.ptr = tag;
  return epoll_ctl(epoll, operation, fd, &event) == 0;
}

}  // namespace

Loop::~Loop() {
  if (epoll_ >= 0) close(epoll_);
}

bool Loop::open() noexcept {
  epoll_ = epoll_create1(EPOLL_CLOEXEC);
  return epoll_ >= 0;
}

bool Loop::watch(int fd, std::uint32_t events, void* tag) noexcept {
  return control(epoll_, EPOLL_CTL_ADD, fd, events, tag);
}

void Loop::change(int fd, std::uint32_t events, void* tag) noexcept {
  (void)control(epoll_, EPOLL_CTL_MOD, fd, events, tag);
}

void Loop::forget(int fd) noexcept { (void)control(epoll_, EPOLL_CTL_DEL, fd, 0, nullptr); }

std::span<const epoll_event> Loop::wait(int milliseconds) noexcept {
  const int count = epoll_wait(epoll_, events_.data(), static_cast<int>(events_.size()), milliseconds);
  return {events_.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

}  // namespace signet::server
