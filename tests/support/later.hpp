// Does things later, from one thread: what the tests' servers answer and wake with.
#pragma once

#include <chrono>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace signet::test {

/// The thread is there as long as this is, before the server too: it may be the one that the kernel gives a
/// signal to. What is not due by the end is dropped.
class Later {
 public:
  Later() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

  template <class Task>
  void after(std::chrono::milliseconds delay, Task task) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(Clock::now() + delay, std::move(task));
    changed_.notify_one();
  }

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      if (waiting_.empty()) {
        changed_.wait(lock, stop, [this] { return !waiting_.empty(); });
      } else if (const auto due = waiting_.begin()->first; due > Clock::now()) {
        changed_.wait_until(lock, stop, due, [this, due] { return waiting_.begin()->first < due; });
      } else {
        std::packaged_task<void()> task = std::move(waiting_.extract(waiting_.begin()).mapped());
        lock.unlock();
        task();
        lock.lock();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::multimap<Clock::time_point, std::packaged_task<void()>> waiting_;
  std::jthread thread_;  // the last member: it ends first
};

}  // namespace signet::test
