#include <thread>
#include <vector>

#include "box_support.hpp"

#include <signet/http/waker.hpp>

using namespace signet::http;
using namespace signet::http::test;
namespace base = signet::base;

TEST_CASE("a waker posts one message at a time, and the next when that is delivered") {
  Reachable there;
  const Waker waker(there.exchange);
  const Waker copy = waker;
  waker.wake();
  waker.wake();
  copy.wake();
  base::Posted* message = there.one();
  REQUIRE(message != nullptr);
  CHECK_FALSE(message->answers);
  CHECK(message->session == 3);
  CHECK(message->exchange == 1);
  waker.wake();  // taken, and not delivered yet
  CHECK(there.one() == nullptr);
  message->drop(*message);
  copy.wake();
  message = there.one();
  REQUIRE(message != nullptr);
  message->drop(*message);
}

TEST_CASE("a message under way outlives its wakers") {
  Reachable there;
  { Waker(there.exchange).wake(); }
  base::Posted* message = there.one();
  REQUIRE(message != nullptr);
  CHECK(message->exchange == 1);
  message->drop(*message);
}

TEST_CASE("wakers of nothing, without a box, and of a worker that is over do nothing") {
  Waker().wake();
  Waker(no_thread).wake();
  Reachable there;
  const Waker waker(there.exchange);
  there.worker.box->shut();
  waker.wake();
  waker.wake();
  CHECK(there.one() == nullptr);
}

TEST_CASE("no wake is lost: what was done before it is seen by the call that follows") {
  Reachable there;
  const Waker waker(there.exchange);
  constexpr unsigned thread_count = 4, each = 2000;
  std::atomic<unsigned> done = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < thread_count; t++) {
    threads.emplace_back([&] {
      for (unsigned i = 0; i < each; i++) {
        done.fetch_add(1, std::memory_order_relaxed);
        waker.wake();
      }
    });
  }
  unsigned seen = 0;
  while (seen < thread_count * each) {
    for (base::Posted* message = there.worker.box->take_all(); message != nullptr;) {
      base::Posted* next = message->next;
      message->drop(*message);
      seen = done.load(std::memory_order_relaxed);  // only a wake() brings it here
      message = next;
    }
    std::this_thread::yield();
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(seen == thread_count * each);
}
