#include <atomic>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <signet/base/post_box.hpp>

using namespace signet::base;

namespace {

std::atomic<int> signals = 0;
void count_signal(int target) noexcept { signals += target; }

}  // namespace

TEST_CASE("messages come in order, and only the first of them signals") {
  signals = 0;
  PostBox box(count_signal, 7, 1000);
  CHECK(box.take_all() == nullptr);
  Posted first, second, third;
  CHECK(box.post(first));
  CHECK(box.post(second));
  CHECK(signals == 7);
  CHECK(box.take_all() == &first);
  CHECK(first.next == &second);
  CHECK(second.next == nullptr);
  CHECK(box.take_all() == nullptr);
  CHECK(box.post(third));
  CHECK(signals == 14);
  CHECK(box.take_all() == &third);
  CHECK(third.next == nullptr);
}

TEST_CASE("a message that was taken may be posted again") {
  PostBox box(count_signal, 1, 1000);
  Posted again, other;
  CHECK(box.post(again));
  CHECK(box.post(other));
  CHECK(box.take_all() == &again);
  CHECK(box.post(other));
  CHECK(box.post(again));
  CHECK(box.take_all() == &other);
  CHECK(other.next == &again);
  CHECK(again.next == nullptr);
}

TEST_CASE("a shut box takes nothing and signals nothing, but gives what it has") {
  signals = 0;
  PostBox box(count_signal, 1, 1000);
  Posted before, after;
  CHECK(box.post(before));
  box.shut();
  CHECK_FALSE(box.post(after));
  CHECK(signals == 1);
  CHECK(box.take_all() == &before);
  CHECK_FALSE(box.post(after));
  CHECK(box.take_all() == nullptr);
}

TEST_CASE("each message of several threads comes once, each thread's in its order") {
  struct Numbered : Posted {
    std::size_t thread = 0, number = 0;
  };
  constexpr std::size_t thread_count = 4, each = 2000;
  PostBox box(count_signal, 0, 1000);
  std::vector<std::vector<Numbered>> messages(thread_count, std::vector<Numbered>(each));
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < thread_count; t++) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < each; i++) {
        messages[t][i].thread = t;
        messages[t][i].number = i;
        (void)box.post(messages[t][i]);
      }
    });
  }
  std::vector<std::size_t> seen(thread_count);
  std::size_t all = 0, out_of_order = 0;
  while (all < thread_count * each) {
    for (Posted* posted = box.take_all(); posted != nullptr; posted = posted->next) {
      const auto& message = static_cast<Numbered&>(*posted);
      if (message.number != seen[message.thread]++) out_of_order++;
      all++;
    }
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(out_of_order == 0);
  CHECK(box.take_all() == nullptr);
}

TEST_CASE("messages hold together no more than the box allows") {
  PostBox box(count_signal, 0, 100);
  CHECK(box.hold(60));
  CHECK(!box.hold(41));
  CHECK(box.hold(40));
  CHECK(box.held() == 100);
  box.release(60);
  CHECK(box.hold(1));
  CHECK(box.held() == 41);
}
