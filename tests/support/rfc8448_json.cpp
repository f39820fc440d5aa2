#include <fstream>

#include <simdjson.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/rfc8448.hpp>

namespace signet::test {
namespace {

namespace dom = simdjson::dom;

std::string text_of(dom::element object, const char* key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

TraceStep step_of(dom::element object) {
  TraceStep step;
  step.actor = text_of(object, "actor");
  step.title = text_of(object, "title");
  step.record_key = from_hex(text_of(object, "record_key"));
  if (object["record_seq"].get(step.record_number) != simdjson::SUCCESS) step.record_number = 0;
  dom::array fields;
  if (object["fields"].get(fields) != simdjson::SUCCESS) return step;
  for (const dom::element field : fields) {
    // A salt of all zeros is published in words, and the hash of a label without context is empty.
    const std::string hex = text_of(field, "hex");
    if (!hex.empty()) step.fields.push_back({text_of(field, "name"), from_hex(hex)});
  }
  return step;
}

}  // namespace

std::optional<std::vector<Trace>> load_rfc8448(const std::string& path) {
  dom::parser parser;
  dom::array sections;
  dom::element document;
  if (parser.load(path).get(document) != simdjson::SUCCESS) return std::nullopt;
  if (document["sections"].get(sections) != simdjson::SUCCESS) return std::nullopt;
  std::vector<Trace> traces;
  for (const dom::element section : sections) {
    Trace& trace = traces.emplace_back();
    trace.title = text_of(section, "title");
    dom::array steps;
    if (section["steps"].get(steps) != simdjson::SUCCESS) return std::nullopt;
    for (const dom::element step : steps) trace.steps.push_back(step_of(step));
  }
  return traces;
}

}  // namespace signet::test
