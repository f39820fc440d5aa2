// What AddressSanitizer is told of a receive buffer; in other builds there is nothing to test.
#include <signet/base/sanitizer.hpp>

#if defined(SIGNET_ASAN)

#include <memory>
#include <string_view>

#include <doctest/doctest.h>

#include <signet/base/recv_buffer.hpp>

using namespace signet::base;

namespace {

void receive(RecvBuffer& buffer, std::string_view text) {
  std::memcpy(buffer.room(1).data(), text.data(), text.size());
  buffer.received(text.size());
  buffer.accept_plain();
}

bool is_poisoned(const std::uint8_t* begin, std::size_t n) {
  std::size_t poisoned = 0;
  for (std::size_t i = 0; i < n; i++) poisoned += __asan_address_is_poisoned(begin + i) ? 1U : 0U;
  CHECK((poisoned == 0 || poisoned == n));
  return poisoned == n;
}

constexpr std::string_view two = "the first request, 32 octets ...the second request, the same ...";

}  // namespace

TEST_CASE("what was consumed is poisoned, also while its buffer is in use") {
  const auto buffer = std::make_unique<RecvBuffer>();
  receive(*buffer, two);
  const std::uint8_t* first = buffer->plaintext().data();
  buffer->pin();
  buffer->consume(32);
  CHECK(is_poisoned(first, 32));
  CHECK_FALSE(is_poisoned(first + 32, 32));
  receive(*buffer, two);  // behind it
  CHECK(is_poisoned(first, 32));
  CHECK(as_text(buffer->plaintext()).substr(32) == two);
  buffer->unpin();
  buffer->consume(96);
  CHECK(buffer->empty());
  CHECK(is_poisoned(first, 128));
}

TEST_CASE("its place may be written again: by what is received, moved to the front, taken over, and wiped") {
  const auto buffer = std::make_unique<RecvBuffer>(), other = std::make_unique<RecvBuffer>();
  receive(*buffer, two);
  std::uint8_t* first = buffer->plaintext().data();
  buffer->consume(two.size());
  receive(*buffer, two);
  CHECK(buffer->plaintext().data() == first);
  CHECK_FALSE(is_poisoned(first, two.size()));

  buffer->consume(32);
  (void)buffer->room(RecvBuffer::capacity - 32);
  CHECK(buffer->plaintext().data() == first);
  CHECK(as_text(buffer->plaintext()) == two.substr(32));
  CHECK_FALSE(is_poisoned(first, 32));

  receive(*other, two);
  other->consume(two.size());
  other->take_from(*buffer);
  CHECK(as_text(other->plaintext()) == two.substr(32));
  other->consume(32);
  other->wipe();
  CHECK_FALSE(is_poisoned(first, RecvBuffer::capacity));
}

#endif
