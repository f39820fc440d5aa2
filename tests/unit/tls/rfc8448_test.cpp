// The traces of RFC 8448: section 3 from the tree, all five where the vectors are.
#include <doctest/doctest.h>

#include <signet/tests/support/rfc8448.hpp>
#include <signet/tests/support/vector_files.hpp>

using namespace signet;
using namespace signet::test;

namespace {

void check_no_failure(const Replay& played) {
  for (const std::string& failure : played.failures) FAIL_CHECK(failure);
}

std::vector<Trace> published_traces() {
  const auto path = vector_file("rfc/rfc8448.json");
  if (!path) {
    MESSAGE("skipped: no vectors");
    return {};
  }
  const auto traces = load_rfc8448(*path);
  REQUIRE(traces);
  REQUIRE(traces->size() == 5);
  return *traces;
}

}  // namespace

TEST_CASE("the simple handshake of the tree is derived again") {
  const Replay played = replay(simple_handshake_trace());
  check_no_failure(played);
  CHECK(played.steps == 38);
  CHECK(played.compared == 61);
}

TEST_CASE("all published traces are derived again") {
  std::size_t steps = 0;
  std::size_t compared = 0;
  for (const Trace& trace : published_traces()) {
    CAPTURE(trace.title);
    const Replay played = replay(trace);
    check_no_failure(played);
    compared += played.compared;
    steps += trace.steps.size();
  }
  if (steps == 0) return;
  CHECK(steps == 272);
  CHECK(compared == 428);
}

TEST_CASE("the resumed handshake's PSK is the one of the simple handshake's ticket") {
  const std::vector<Trace> traces = published_traces();
  if (traces.empty()) return;
  const Replay first = replay(traces[0]);
  CHECK(first.ticket_psk.size() == 32);
  CHECK(replay(traces[1]).psk == first.ticket_psk);
}

TEST_CASE("a trace with one other octet fails where the octet is") {
  const Trace good = simple_handshake_trace();
  for (std::size_t i = 0; i < good.steps.size(); i++) {
    for (std::size_t j = 0; j < good.steps[i].fields.size(); j++) {
      Trace bad = good;
      bad.steps[i].fields[j].octets.back() ^= 1;
      CAPTURE(good.steps[i].title);
      CAPTURE(good.steps[i].fields[j].name);
      CHECK_FALSE(replay(bad).failures.empty());
    }
  }
}
