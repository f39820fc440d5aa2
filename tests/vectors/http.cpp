// Requests and attempts at smuggling: what the parser and the decoder of chunks make of each connection must
// be one of the outcomes that RFC 9112 allows, bodies included, and the same wherever the octets are cut.
#include <signet/tests/support/hex.hpp>
#include <signet/tests/vectors/files.hpp>
#include <signet/tests/vectors/http_heads.hpp>

namespace signet::vectors {
namespace {

using Kind = HttpEvent::Kind;
constexpr std::size_t pieces[] = {1, 7};  // octets that come at a time

using Outcome = std::vector<std::vector<std::string>>;

std::vector<std::string> words_of(Json event) {
  std::vector<std::string> words;
  simdjson::dom::array array;
  if (event.get(array) != simdjson::SUCCESS) return words;
  for (const Json word : array) {
    std::string_view octets;
    words.push_back(word.get(octets) == simdjson::SUCCESS ? std::string(octets) : std::string());
  }
  return words;
}

std::vector<Outcome> outcomes_of(Json json) {
  std::vector<Outcome> outcomes;
  for (const Json allowed : list(json, "outcomes")) {
    Outcome& outcome = outcomes.emplace_back();
    simdjson::dom::array events;
    if (allowed.get(events) != simdjson::SUCCESS) continue;
    for (const Json event : events) outcome.push_back(words_of(event));
  }
  return outcomes;
}

bool is(const std::vector<std::string>& allowed, const char* word) {
  return !allowed.empty() && allowed[0] == word;
}

bool same_request(const HttpEvent& event, const std::vector<std::string>& allowed) {
  if (!is(allowed, "req") || allowed.size() < 4) return false;
  return event.method == allowed[1] && event.target == allowed[2] && test::to_hex(event.body) == allowed[3];
}

/// Whether `event` is what the outcome allows in its place. An early refusal of what is not whole is fine,
/// and a connection that may stay open may be closed.
bool fits(const HttpEvent& event, const std::vector<std::string>& allowed) {
  switch (event.kind) {
    case Kind::request:
      return same_request(event, allowed);
    case Kind::reject:
      return is(allowed, "reject") || is(allowed, "wait");
    case Kind::wait:
      return is(allowed, "wait");
    case Kind::idle:
      return is(allowed, "idle");
    case Kind::close:
      return is(allowed, "close") || is(allowed, "idle");
  }
  return false;
}

bool fits(const std::vector<HttpEvent>& events, const Outcome& outcome) {
  if (events.size() != outcome.size()) return false;
  for (std::size_t i = 0; i < events.size(); i++) {
    if (!fits(events[i], outcome[i])) return false;
  }
  return true;
}

bool fits_one(const std::vector<HttpEvent>& events, const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes) {
    if (fits(events, outcome)) return true;
  }
  return false;
}

std::string described(const std::vector<HttpEvent>& events) {
  constexpr const char* words[] = {"request", "reject", "wait", "idle", "close"};
  std::string text;
  for (const HttpEvent& event : events)
    text += std::string(" ") + words[static_cast<std::size_t>(event.kind)];
  return text;
}

void connections(Report& report, Json document) {
  each_case(report, document, "cases", [](Case& one, Json json) {
    const Octets raw = hex(json, "raw_hex");
    const std::vector<Outcome> outcomes = outcomes_of(json);
    const std::vector<HttpEvent> events = read_connection(raw, 0);
    for (const std::size_t piece : pieces) {
      one.expect(read_connection(raw, piece) == events, "other events in pieces of", std::to_string(piece));
    }
    for (std::size_t cut = 1; cut < raw.size(); cut++) {
      if (read_cut_connection(raw, cut) == events) continue;
      one.expect(false, "other events when cut at", std::to_string(cut));
      break;
    }
    if (fits_one(events, outcomes)) return;
    one.expect(false, "got" + described(events) + ", which no outcome allows");
  });
}

constexpr File files[] = {
    {"http1/parsers.json", connections},
    {"http1/smuggling_portswigger.json", connections},
    {"http1/smuggling_smuggler.json", connections},
};

}  // namespace

std::span<const File> http_files() { return files; }

}  // namespace signet::vectors
