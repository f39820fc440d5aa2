#include <cstring>
#include <set>

#include <doctest/doctest.h>

#include <signet/base/pool.hpp>

using namespace signet::base;

namespace {

struct Item {
  explicit Item(int v) noexcept : value(v) {}
  void wipe() noexcept {
    value = 0;
    wipes++;
  }
  int value;
  static inline int wipes = 0;
};

}  // namespace

TEST_CASE("a pool is bounded, gives the last one back first and wipes") {
  Pool<Item> pool;
  REQUIRE(pool.reserve(3));
  CHECK_FALSE(pool.reserve(3));
  Item* a = pool.take(1);
  Item* b = pool.take(2);
  Item* c = pool.take(3);
  CHECK(a->value == 1);
  CHECK(pool.take(4) == nullptr);
  CHECK(pool.used() == 3);
  CHECK(pool.index_of(c) == 2);
  Item::wipes = 0;
  pool.give(b);
  pool.give(a);
  CHECK(Item::wipes == 2);
  CHECK(pool.free() == 2);
  CHECK(pool.take(5) == a);
  CHECK(pool.take(6) == b);
  CHECK(b->value == 6);
  pool.give(nullptr);
  CHECK(pool.used() == 3);
}

TEST_CASE("slots are apart, aligned, and as many as were asked for") {
  Slab slab;
  REQUIRE(slab.reserve(1000, 100));
  std::set<void*> slots;
  for (int i = 0; i < 1000; i++) {
    void* slot = slab.take();
    REQUIRE(slot != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(slot) % 64 == 0);
    std::memset(slot, i, 100);
    slots.insert(slot);
  }
  CHECK(slots.size() == 1000);
  CHECK(slab.take() == nullptr);
  for (void* slot : slots) slab.give(slot);
  CHECK(slab.used() == 0);
}

TEST_CASE("trimming gives memory back only when no slot is in use") {
  Slab slab;
  REQUIRE(slab.reserve(100, 4096));
  void* slot = slab.take();
  std::memset(slot, 7, 4096);
  slab.trim();
  CHECK(slab.touched() == 1);
  CHECK(*static_cast<std::uint8_t*>(slot) == 7);
  slab.give(slot);
  slab.trim();
  CHECK(slab.touched() == 0);
  void* again = slab.take();
  CHECK(again == slot);
  CHECK(*static_cast<std::uint8_t*>(again) == 0);
}
