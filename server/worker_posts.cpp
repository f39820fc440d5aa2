// What other threads send to a worker's exchanges: late answers, and that a stream or an upload may go on.
#include <cstdlib>

#include <sys/eventfd.h>
#include <unistd.h>

#include <signet/server/worker.hpp>

namespace signet::server {
namespace {

void signal_posts(int event) noexcept { (void)eventfd_write(event, 1); }

}  // namespace

bool Worker::open_posts() noexcept {
  posts_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (posts_ < 0) return false;
  awaiting_.box = std::make_shared<base::PostBox>(signal_posts, posts_, settings_.body_memory);
  // From the kernel's zero pages: a session that awaits nothing costs nothing here.
  awaited_.reset(static_cast<std::uint64_t*>(std::calloc(settings_.connections, sizeof(std::uint64_t))));
  return awaited_ != nullptr && loop_.watch(posts_, EPOLLIN, &posts_);
}

void Worker::read_posts() noexcept {
  eventfd_t ignored = 0;
  (void)eventfd_read(posts_, &ignored);
  for (base::Posted* message = awaiting_.box->take_all(); message != nullptr;) {
    base::Posted* next = message->next;
    deliver(*message);
    message = next;
  }
}

void Worker::deliver(base::Posted& message) noexcept {
  const bool answers = message.answers;  // a delivered message may be gone already
  const bool wanted = message.exchange != 0 && awaited_[message.session] == message.exchange;
  Channel* channel = wanted ? &channels_.at(message.session) : nullptr;
  const bool there = channel != nullptr && channel->phase_ == Channel::Phase::open && channel->app != nullptr;
  const bool taken = there && settings_.service.deliver(*channel, message);
  if (!taken) message.drop(message);
  if (answers) (taken ? counters_.late_answers : counters_.late_no_ops)++;
}

/// No message comes any more; what came is not for anyone.
void Worker::close_posts() noexcept {
  if (posts_ < 0) return;
  awaiting_.box->shut();
  read_posts();
  close(posts_);
  posts_ = -1;
}

}  // namespace signet::server
