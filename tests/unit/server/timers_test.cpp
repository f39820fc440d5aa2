#include <doctest/doctest.h>

#include <signet/server/io/timers.hpp>

using namespace signet::server;

namespace {

struct TestTag;
struct Owner : TimerLink<TestTag> {};
using TestTimers = Timers<Owner, TestTag>;

}  // namespace

TEST_CASE("timers of one period expire in the order they were armed, each at its time") {
  TestTimers timers(100);
  Owner a, b;
  timers.arm(a, 1000);
  timers.arm(b, 1050);
  CHECK(timers.expired(1099) == nullptr);
  CHECK(timers.expired(1100) == &a);
  CHECK(timers.expired(1100) == nullptr);
  CHECK(timers.expired(1150) == &b);
  CHECK(timers.empty());
}

TEST_CASE("a timer armed again goes behind the others, and one unlinked does not expire") {
  TestTimers timers(100);
  Owner a, b;
  timers.arm(a, 0);
  timers.arm(b, 10);
  timers.arm(a, 20);
  CHECK(timers.expired(110) == &b);
  CHECK(timers.expired(110) == nullptr);
  a.unlink();
  CHECK(timers.expired(1000) == nullptr);
}

TEST_CASE("ticks wrap") {
  TestTimers timers(100);
  Owner a;
  timers.arm(a, 0xffffffff - 10);
  CHECK(timers.expired(0xffffffff) == nullptr);
  CHECK(timers.expired(88) == nullptr);
  CHECK(timers.expired(89) == &a);
}

TEST_CASE("a wait is shortened to the next expiry") {
  TestTimers timers(100);
  Owner a;
  int wait = -1;
  timers.shorten(wait, 0);
  CHECK(wait == -1);
  timers.arm(a, 0);
  timers.shorten(wait, 40);
  CHECK(wait == 60);
  wait = 5;
  timers.shorten(wait, 40);
  CHECK(wait == 5);
  timers.shorten(wait, 500);
  CHECK(wait == 0);
  a.unlink();
}
