#include <doctest/doctest.h>

#include <signet/server/interest.hpp>

using signet::server::Condition;
using signet::server::interest;

TEST_CASE("the interest of every state") {
  struct Row {
    bool input_over, waits, unsent;
    std::uint32_t wanted;
  };
  const Row rows[] = {
      {false, false, false, EPOLLIN},  // open: more input can be served
      {false, false, true, EPOLLOUT},  // the peer does not read: nothing is read from it either
      {false, true, false, 0},         // waits for a lease, a signature or a late answer
      {false, true, true, EPOLLOUT},  {true, false, false, 0},  // its end was read, and would be reported for ever
      {true, false, true, EPOLLOUT},  {true, true, false, 0},  {true, true, true, EPOLLOUT},
  };
  for (const Row& row : rows) {
    CAPTURE(row.input_over);
    CAPTURE(row.waits);
    CAPTURE(row.unsent);
    CHECK(interest(Condition{row.input_over, row.waits, row.unsent}) == row.wanted);
  }
}
