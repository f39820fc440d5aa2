#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <signet/base/recv_buffer.hpp>

using namespace signet::base;

namespace {

void feed(RecvBuffer& buffer, std::string_view text) {
  const MutBytes room = buffer.room(text.size());
  REQUIRE(room.size() >= text.size());
  std::memcpy(room.data(), text.data(), text.size());
  buffer.received(text.size());
}

// Opens a toy record: "hh" header, then `plain` octets, then "tt".
std::uint8_t* open(RecvBuffer& buffer, std::size_t plain) {
  std::uint8_t* target = buffer.target(2, 64);
  std::memmove(target, buffer.raw().data() + 2, plain);
  buffer.opened(plain + 4, target, plain, plain);
  return target;
}

std::string plaintext_of(RecvBuffer& buffer) { return std::string(as_text(buffer.plaintext())); }

}  // namespace

TEST_CASE("the first record is opened at its own place, later ones behind its plaintext") {
  auto buffer = std::make_unique<RecvBuffer>();
  feed(*buffer, "hhonetthhtwotthhthreett");
  const std::uint8_t* raw = buffer->raw().data();
  CHECK(open(*buffer, 3) == raw + 2);
  CHECK(open(*buffer, 3) == raw + 5);
  open(*buffer, 5);
  CHECK(plaintext_of(*buffer) == "onetwothree");
  CHECK(buffer->residue() == 2 + 11);
  buffer->consume(3);
  CHECK(plaintext_of(*buffer) == "twothree");
  buffer->consume(8);
  CHECK(buffer->empty());
  CHECK(buffer->raw().data() == raw);
}

TEST_CASE("a full buffer moves what it holds to the front, unless it is pinned") {
  auto buffer = std::make_unique<RecvBuffer>();
  feed(*buffer, "hh" + std::string(20000, 'a') + "tt");
  open(*buffer, 20000);
  feed(*buffer, std::string(RecvBuffer::capacity - 20004, 'r'));
  CHECK(buffer->room(1).size() == 4);  // header and tag of the opened record made way
  buffer->consume(19990);
  buffer->pin();
  CHECK(buffer->room(5).size() == 4);
  buffer->unpin();
  CHECK(buffer->room(5).size() == 19994);
  CHECK(plaintext_of(*buffer) == std::string(10, 'a'));
  CHECK(buffer->raw().size() == RecvBuffer::capacity - 20004);
  CHECK(buffer->raw().back() == 'r');
}

TEST_CASE("while pinned and consumed, nothing is opened over what was handed out") {
  auto buffer = std::make_unique<RecvBuffer>();
  feed(*buffer, "hhonetthhtwott");
  std::uint8_t* first = open(*buffer, 3);
  buffer->pin();
  buffer->consume(3);
  CHECK(open(*buffer, 3) == first + 3);
  CHECK(std::memcmp(first, "onetwo", 6) == 0);
  CHECK(plaintext_of(*buffer) == "two");
}

TEST_CASE("octets without records are plaintext where they lie") {
  auto buffer = std::make_unique<RecvBuffer>();
  feed(*buffer, "GET /");
  const std::uint8_t* raw = buffer->raw().data();
  buffer->accept_plain();
  feed(*buffer, " HTTP");
  buffer->accept_plain();
  CHECK(plaintext_of(*buffer) == "GET / HTTP");
  CHECK(buffer->plaintext().data() == raw);
  CHECK(buffer->residue() == 10);
}

TEST_CASE("a half moves to another buffer with one copy, and leaves nothing behind") {
  auto from = std::make_unique<RecvBuffer>();
  auto to = std::make_unique<RecvBuffer>();
  feed(*from,
       "hhhead of a requestt"
       "hhpart");
  open(*from, 16);
  from->consume(5);
  to->take_from(*from);
  CHECK(plaintext_of(*to) == "of a reques");
  CHECK(as_text(to->raw()) == "hhpart");
  CHECK(from->empty());
  CHECK(from->residue() == 0);
  CHECK(to->residue() == 11);
}

TEST_CASE("wiping removes all plaintext, padding included") {
  auto buffer = std::make_unique<RecvBuffer>();
  feed(*buffer, "hhsecrettt");
  std::uint8_t* at = buffer->target(2, 64);
  std::memcpy(at, "secret", 6);
  buffer->opened(10, at, 4, 6);
  CHECK(buffer->residue() == 8);
  buffer->wipe();
  CHECK(buffer->residue() == 0);
  for (int i = 0; i < 6; i++) CHECK(at[i] == 0);
}

TEST_CASE("skipped octets leave room again") {
  auto buffer = std::make_unique<RecvBuffer>();
  feed(*buffer, "skip");
  buffer->skip(2);
  CHECK(as_text(buffer->raw()) == "ip");
  buffer->skip(2);
  CHECK(buffer->empty());
  CHECK(buffer->room(1).size() == RecvBuffer::capacity);
}
