// Requests written to confuse servers, sent to a session in two parts, cut at each octet: the answers are
// those to the whole.
#include "body_support.hpp"
#include <simdjson.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/vector_files.hpp>

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;

namespace {

// Of a longer request a sample of cuts is tried, those at its line ends among them.
constexpr std::size_t most_cuts = 160;

http::Router routes() {
  http::Router router;
  router.otherwise([](const http::Request& request, http::Response& response) {
    response.text(http::status::ok, request.method_string(), " ", request.target(), " [", request.body(),
                  "]\n");
  });
  return router;
}

std::vector<std::size_t> cuts_of(std::string_view octets) {
  std::vector<std::size_t> cuts;
  const std::size_t step = octets.size() / most_cuts + 1;
  for (std::size_t at = 1; at < octets.size(); at++)
    if (at % step == 0 || octets[at - 1] == '\n' || octets[at - 1] == '\r') cuts.push_back(at);
  return cuts;
}

struct Answers {
  std::string text;
  bool ended = false;
  bool operator==(const Answers&) const = default;
};

Answers answers_to(Hosted& t, std::string_view first, std::string_view second) {
  Peer peer(t.rig.address);
  std::string text;
  t.rig.turns(2);
  for (const std::string_view part : {first, second}) {
    // A peer that was answered already and left sends nothing more.
    (void)peer.try_send(part);
    t.rig.turns(3);
    peer.receive(text);
  }
  t.rig.turns(2);
  peer.receive(text);
  const Answers answers{without_dates(std::move(text)), peer.at_end()};
  peer.close();
  t.rig.turns(2);
  return answers;
}

void check_case(Hosted& t, std::string_view octets) {
  const Answers whole = answers_to(t, octets, {});
  for (const std::size_t cut : cuts_of(octets)) {
    const Answers parts = answers_to(t, octets.substr(0, cut), octets.substr(cut));
    CAPTURE(cut);
    CHECK(parts == whole);
  }
}

void check_file(const std::string& name) {
  const auto path = vector_file(name);
  if (!path) {
    MESSAGE("skipped: no vectors " << name);
    return;
  }
  simdjson::padded_string text;
  REQUIRE_FALSE(simdjson::padded_string::load(*path).get(text));
  simdjson::dom::parser parser;
  simdjson::dom::element file;
  REQUIRE_FALSE(parser.parse(text).get(file));
  Hosted t(routes(), false);
  std::size_t cases = 0;
  for (const simdjson::dom::element one : file["cases"].get_array()) {
    const std::string id(one["id"].get_string().value());
    CAPTURE(id);
    const auto raw = from_hex(one["raw_hex"].get_string().value());
    check_case(t, signet::base::as_text(raw));
    cases++;
  }
  MESSAGE(name << ": " << cases << " cases");
  CHECK(cases > 50);
  CHECK(t.rig.worker.connections() == 0);
  CHECK(t.clean());
}

}  // namespace

TEST_CASE("the smuggling requests of the vectors, cut at each octet") {
  check_file("http1/smuggling_portswigger.json");
}

TEST_CASE("the parser requests of the vectors, cut at each octet") { check_file("http1/parsers.json"); }

TEST_CASE("requests of our own, cut at each octet, plain") {
  Hosted t(routes(), false);
  for (const std::string& octets :
       {by_length("/a", "body") + std::string(next_request),
        in_chunks("/a", "body and more", 5, ";x=\"y\"", "T: u\r\n") + std::string(next_request),
        std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcdeX")}) {
    check_case(t, octets);
  }
  CHECK(t.clean());
}
