#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <signet/base/send_buffer.hpp>

using namespace signet::base;

namespace {

constexpr RecordRoom toy_room{5, 17, 100};

void write(SendBuffer& buffer, std::string_view text) {
  const MutBytes window = buffer.window();
  REQUIRE(window.size() >= text.size());
  std::memcpy(window.data(), text.data(), text.size());
  buffer.wrote(text.size());
}

// Marks header and tail, as a record layer would.
void seal(SendBuffer& buffer) {
  const MutBytes cell = buffer.cell();
  std::memset(cell.data() - 5, 'h', 5);
  std::memset(cell.data() + cell.size(), 't', 17);
  buffer.sealed(cell.size() + 22);
}

}  // namespace

TEST_CASE("a cell has room for header and tag, and adjacent cells leave together") {
  auto buffer = std::make_unique<SendBuffer>(toy_room);
  write(*buffer, "one");
  write(*buffer, "two");
  CHECK(buffer->residue() == 6);
  const std::uint8_t* plain = buffer->cell().data();
  seal(*buffer);
  CHECK(buffer->residue() == 0);
  CHECK(buffer->pending().data() == plain - 5);
  write(*buffer, "three");
  seal(*buffer);
  CHECK(as_text(buffer->pending()) ==
        "hhhhhonetwo" + std::string(17, 't') + "hhhhhthree" + std::string(17, 't'));
}

TEST_CASE("a cell takes a record's plaintext and no more") {
  auto buffer = std::make_unique<SendBuffer>(toy_room);
  CHECK(buffer->window().size() == 100);
  buffer->wrote(100);
  CHECK(buffer->window().empty());
}

TEST_CASE("no cell begins where header and tag would not fit") {
  auto buffer = std::make_unique<SendBuffer>(RecordRoom{5, 17, 16384});
  std::size_t cells = 0;
  for (; !buffer->window().empty(); cells++) {
    const MutBytes window = buffer->window();
    std::memset(window.data(), 'x', window.size());
    buffer->wrote(window.size());
    seal(*buffer);
  }
  CHECK(cells == 5);
  CHECK(buffer->pending().size() == SendBuffer::capacity);
  // No address behind the buffer is made up.
  CHECK(buffer->window().data() == nullptr);
  CHECK(buffer->cell().data() == nullptr);
}

TEST_CASE("a partial send keeps the rest, a whole one starts at the front again") {
  auto buffer = std::make_unique<SendBuffer>(toy_room);
  write(*buffer, "abc");
  const std::uint8_t* front = buffer->cell().data();
  seal(*buffer);
  buffer->sent(10);
  CHECK(buffer->pending().size() == 15);
  CHECK_FALSE(buffer->empty());
  buffer->sent(15);
  CHECK(buffer->empty());
  CHECK(buffer->window().data() == front);
}

TEST_CASE("an open cell stays where it is while what was sealed before it leaves") {
  auto buffer = std::make_unique<SendBuffer>(toy_room);
  write(*buffer, "abc");
  seal(*buffer);
  write(*buffer, "def");
  const std::uint8_t* cell = buffer->cell().data();
  buffer->sent(buffer->pending().size());
  CHECK(buffer->cell().data() == cell);
  CHECK(as_text(buffer->cell()) == "def");
  CHECK_FALSE(buffer->empty());
}

TEST_CASE("what was written can be taken back, and leaves nothing") {
  auto buffer = std::make_unique<SendBuffer>(toy_room);
  write(*buffer, "head");
  write(*buffer, "secret");
  const std::uint8_t* cell = buffer->cell().data();
  buffer->unwrite(6);
  CHECK(as_text(buffer->cell()) == "head");
  CHECK(cell[4] == 0);
  CHECK(cell[9] == 0);
  buffer->wipe();
  CHECK(buffer->empty());
  CHECK(cell[0] == 0);
}
