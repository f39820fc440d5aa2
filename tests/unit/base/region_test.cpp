#include <cstring>

#include <doctest/doctest.h>

#include <signet/base/chunk_cache.hpp>
#include <signet/base/list.hpp>
#include <signet/base/region.hpp>
#include <signet/base/sanitizer.hpp>

using namespace signet::base;

TEST_CASE("a region grows over chunks and gives all of them back") {
  const std::size_t before = chunk_cache().out();
  Region* region = Region::open();
  REQUIRE(region != nullptr);
  for (int i = 0; i < 100; i++) {
    auto* place = static_cast<std::uint8_t*>(region->allocate(1000, 8));
    REQUIRE(place != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(place) % 8 == 0);
    std::memset(place, i, 1000);
  }
  CHECK(chunk_cache().out() >= before + 6);
  region->close();
  CHECK(chunk_cache().out() == before);
}

TEST_CASE("an allocation over a chunk gets memory of its own") {
  Region* region = Region::open();
  auto* big = static_cast<std::uint8_t*>(region->allocate(100000, 64));
  REQUIRE(big != nullptr);
  std::memset(big, 1, 100000);
  auto* small = static_cast<std::uint8_t*>(region->allocate(16, 16));
  REQUIRE(small != nullptr);
  std::memset(small, 2, 16);
  CHECK(big[99999] == 1);
  region->close();
}

TEST_CASE("resetting wipes, and the same memory comes again") {
  Region* region = Region::open();
  auto* first = static_cast<char*>(region->allocate(6, 1));
  std::memcpy(first, "secret", 6);
  region->reset();
  CHECK(first[0] == 0);
  CHECK(first[5] == 0);
  CHECK(region->allocate(6, 1) == first);
  region->close();
}

TEST_CASE("arrays are initialised, also in memory that was used before") {
  Region* region = Region::open();
  std::memset(region->allocate(4096, 8), 0xff, 4096);
  region->reset();
  const int* numbers = region->make_array<int>(1000);
  for (int i = 0; i < 1000; i++) CHECK(numbers[i] == 0);
  region->close();
}

#if !defined(SIGNET_ASAN)
TEST_CASE("the cache gives the last chunk first, is bounded and can be trimmed") {
  ChunkCache cache;
  void* a = cache.take();
  void* b = cache.take();
  cache.give(a);
  cache.give(b);
  CHECK(cache.kept() == 2);
  CHECK(cache.take() == b);
  CHECK(cache.take() == a);
  cache.give(a);
  cache.give(b);
  cache.trim(1);
  CHECK(cache.kept() == 1);
  void* chunks[ChunkCache::most + 10];
  for (void*& chunk : chunks) chunk = cache.take();
  for (void* chunk : chunks) cache.give(chunk);
  CHECK(cache.kept() == ChunkCache::most);
}
#endif

namespace {
struct Ready;
struct Waiting;
struct Both : Link<Ready>, Link<Waiting> {
  explicit Both(int n) noexcept : number(n) {}
  int number;
};
}  // namespace

TEST_CASE("one object can be in two lists, first in first out") {
  List<Both, Ready> ready;
  List<Both, Waiting> waiting;
  Both one(1), two(2), three(3);
  for (Both* b : {&one, &two, &three}) ready.push_back(*b);
  waiting.push_back(two);
  static_cast<Link<Ready>&>(two).unlink();
  CHECK_FALSE(static_cast<Link<Ready>&>(two).linked());
  CHECK(ready.pop_front().number == 1);
  CHECK(ready.pop_front().number == 3);
  CHECK(ready.empty());
  CHECK(waiting.front().number == 2);
  ready.push_back(one);
  ready.push_back(three);
  List<Both, Ready> turn;
  ready.move_all_to(turn);
  CHECK(ready.empty());
  int sum = 0;
  turn.for_each([&sum](Both& b) {
    sum = sum * 10 + b.number;
    static_cast<Link<Ready>&>(b).unlink();
  });
  CHECK(sum == 13);
  CHECK(turn.empty());
  static_cast<Link<Waiting>&>(two).unlink();
  CHECK(waiting.empty());
}
