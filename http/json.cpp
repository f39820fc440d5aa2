#include <signet/http/json.hpp>

#include <charconv>

namespace signet::http {

void json_fault(Response& response, std::size_t place, std::string_view what) noexcept {
  char digits[20];
  const char* end = std::to_chars(digits, digits + sizeof digits, place).ptr;
  const std::string_view number(digits, static_cast<std::size_t>(end - digits));
  response.text(http::status::bad_request, "JSON, octet ", number, ": ", what, "\n");
}

}  // namespace signet::http
