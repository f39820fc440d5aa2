#include <charconv>

#include <signet/http/json.hpp>

namespace signet::http {
namespace {

constexpr bool continues(std::string_view text, std::size_t at) noexcept {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

/// Octets of the character at `at`, 0 when it is no UTF-8 (RFC 3629 section 4).
std::size_t character_bytes(std::string_view text, std::size_t at) noexcept {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text, at + i)) return 0;
  }
  const auto second = static_cast<unsigned char>(text[at + 1]);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second > 0x9f;
  const bool beyond = first == 0xf4 && second > 0x8f;
  return overlong || surrogate || beyond ? 0 : bytes;
}

}  // namespace

std::size_t json_fault_place(std::string_view body) noexcept {
  std::size_t quote = body.size();  // of the string that `at` is in, else the end
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t bytes = character_bytes(body, at);
    const bool in_string = quote != body.size();
    if (bytes == 0 || (in_string && static_cast<unsigned char>(body[at]) < 0x20)) return at;
    if (body[at] == '"') quote = in_string ? body.size() : at;
    // An escaped quote ends no string, and an escaped backslash escapes nothing.
    const char after = at + 1 < body.size() ? body[at + 1] : '\0';
    at += in_string && body[at] == '\\' && (after == '"' || after == '\\') ? 2 : bytes;
  }
  return quote;
}

void json_fault(Response& response, std::size_t place, std::string_view what) noexcept {
  char digits[20];
  const char* end = std::to_chars(digits, digits + sizeof digits, place).ptr;
  const std::string_view number(digits, static_cast<std::size_t>(end - digits));
  response.text(http::status::bad_request, "JSON, octet ", number, ": ", what, "\n");
}

}  // namespace signet::http
