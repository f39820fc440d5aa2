#include <signet/crypto/base64.hpp>
#include <signet/tests/support/hex.hpp>
#include <signet/tests/vectors/json.hpp>

namespace signet::vectors {
namespace {

bool find(Json& value, Json object, const char* key) { return object[key].get(value) == simdjson::SUCCESS; }

Json empty_object() {
  static simdjson::dom::parser parser;
  static const Json empty = parser.parse(std::string_view("{}")).value_unsafe();
  return empty;
}

}  // namespace

bool has(Json object, const char* key) {
  Json value;
  return find(value, object, key) && !value.is_null();
}

Json child(Json object, const char* key) {
  Json value;
  return find(value, object, key) ? value : empty_object();
}

std::vector<Json> list(Json object, const char* key) {
  std::vector<Json> elements;
  simdjson::dom::array array;
  if (object[key].get(array) != simdjson::SUCCESS) return elements;
  for (const Json element : array) elements.push_back(element);
  return elements;
}

std::string text(Json object, const char* key) {
  Json value;
  std::string_view octets;
  std::int64_t digits = 0;
  if (!find(value, object, key)) return {};
  if (value.get(octets) == simdjson::SUCCESS) return std::string(octets);
  return value.get(digits) == simdjson::SUCCESS ? std::to_string(digits) : std::string();
}

std::uint64_t number(Json object, const char* key) {
  std::uint64_t value = 0;
  return object[key].get(value) == simdjson::SUCCESS ? value : 0;
}

bool flag(Json object, const char* key) {
  bool value = false;
  return object[key].get(value) == simdjson::SUCCESS && value;
}

Octets hex(Json object, const char* key) { return test::from_hex(text(object, key)); }

Octets base64(Json object, const char* key) {
  Octets octets;
  crypto::Base64Decoder decoder;
  if (!decoder.update(octets, text(object, key)) || !decoder.finish()) return {};
  octets.shrink_to_fit();  // so that a sanitizer sees a read behind the last octet
  return octets;
}

Octets hex_number(Json object, const char* key, std::size_t bytes) {
  std::string digits = text(object, key);
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.size() % 2 != 0) digits.insert(0, 1, '0');
  if (digits.size() < 2 * bytes) digits.insert(0, 2 * bytes - digits.size(), '0');
  return test::from_hex(digits);
}

std::string id_of(Json one) {
  for (const char* key : {"id", "tcId", "n", "name", "section"}) {
    if (has(one, key)) return text(one, key);
  }
  return "?";
}

std::size_t case_count(Json document) {
  std::size_t count = 0;
  for (const char* key : {"cases", "testcases", "seeds", "checkpoints"}) count += list(document, key).size();
  for (const Json group : list(document, "testGroups")) count += list(group, "tests").size();
  return count;
}

}  // namespace signet::vectors
