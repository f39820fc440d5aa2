#include <cstdio>

#include <simdjson.h>

#include <signet/tests/support/vector_cases.hpp>
#include <signet/tests/support/vector_files.hpp>

namespace signet::test {

std::vector<VectorCase> vector_cases(const std::string& name) {
  const auto path = vector_file(name);
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  simdjson::dom::array cases;
  if (!path || parser.load(*path).get(document) != simdjson::SUCCESS ||
      document["cases"].get(cases) != simdjson::SUCCESS) {
    std::printf("skipped: no vectors %s\n", name.c_str());
    return {};
  }
  std::vector<VectorCase> all;
  for (const simdjson::dom::element element : cases) {
    VectorCase& one = all.emplace_back();
    for (const auto field : simdjson::dom::object(element)) {
      std::string_view text;
      if (field.value.get(text) == simdjson::SUCCESS) one[std::string(field.key)] = text;
    }
  }
  return all;
}

}  // namespace signet::test
