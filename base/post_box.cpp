#include <signet/base/post_box.hpp>

namespace signet::base {

bool PostBox::post(Posted& message) noexcept {
  const std::lock_guard lock(mutex_);
  if (shut_) return false;
  const bool was_empty = first_ == nullptr;
  message.next = nullptr;
  *end_ = &message;
  end_ = &message.next;
  if (was_empty) signal_(target_);  // under the lock: the target is there as long as the box is open
  return true;
}

bool PostBox::hold(std::size_t bytes) noexcept {
  std::size_t held = held_;
  do {
    if (bytes > most_held_ - held) return false;
  } while (!held_.compare_exchange_weak(held, held + bytes));
  return true;
}

Posted* PostBox::take_all() noexcept {
  const std::lock_guard lock(mutex_);
  Posted* all = first_;
  first_ = nullptr;
  end_ = &first_;
  return all;
}

void PostBox::shut() noexcept {
  const std::lock_guard lock(mutex_);
  shut_ = true;
}

}  // namespace signet::base
