#include <signet/http/ascii.hpp>
#include <signet/http/query.hpp>

namespace signet::http {
namespace {

/// Takes a decoded octet off `text`; -1 for a malformed escape, or one of NUL.
int take_octet(std::string_view& text) noexcept {
  const char first = text.front();
  if (first != '%') {
    text.remove_prefix(1);
    return static_cast<unsigned char>(first == '+' ? ' ' : first);
  }
  if (text.size() < 3) return -1;
  const int high = hex_value(text[1]);
  const int low = hex_value(text[2]);
  if (high < 0 || low < 0 || (high | low) == 0) return -1;
  text.remove_prefix(3);
  return high * 16 + low;
}

bool is_well_formed(std::string_view text) noexcept {
  while (!text.empty()) {
    if (take_octet(text) < 0) return false;
  }
  return true;
}

}  // namespace

std::optional<QueryParameter> QueryReader::next() noexcept {
  while (!rest_.empty()) {
    const std::string_view part = rest_.substr(0, rest_.find('&'));
    rest_.remove_prefix(part.size() == rest_.size() ? part.size() : part.size() + 1);
    if (part.empty()) continue;
    const std::string_view name = part.substr(0, part.find('='));
    return QueryParameter{name, part.substr(name.size() == part.size() ? name.size() : name.size() + 1)};
  }
  return std::nullopt;
}

std::optional<std::string_view> decode_query(std::string_view text, base::Region& region) noexcept {
  if (text.find_first_of("%+") == std::string_view::npos || !is_well_formed(text)) return text;
  auto* decoded = static_cast<char*>(region.allocate(text.size(), 1));
  if (decoded == nullptr) return std::nullopt;
  std::size_t size = 0;
  while (!text.empty()) decoded[size++] = static_cast<char>(take_octet(text));
  return std::string_view(decoded, size);
}

bool decodes_to(std::string_view text, std::string_view decoded) noexcept {
  if (!is_well_formed(text)) return text == decoded;
  while (!text.empty() && !decoded.empty()) {
    if (take_octet(text) != static_cast<unsigned char>(decoded.front())) return false;
    decoded.remove_prefix(1);
  }
  return text.empty() && decoded.empty();
}

std::optional<std::string_view> query_parameter(std::string_view query, std::string_view name,
                                                base::Region& region) noexcept {
  QueryReader reader(query);
  for (auto parameter = reader.next(); parameter; parameter = reader.next()) {
    if (decodes_to(parameter->name, name)) return decode_query(parameter->value, region);
  }
  return std::nullopt;
}

}  // namespace signet::http
