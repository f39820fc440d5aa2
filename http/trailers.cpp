#include <algorithm>

#include <signet/http/ascii.hpp>
#include <signet/http/trailers.hpp>

namespace signet::http {
namespace {

/// Takes the first line off `section`; empty for the one that ends it.
std::string_view take_line(std::string_view& section) noexcept {
  const std::string_view line = section.substr(0, section.find('\r'));
  section.remove_prefix(std::min(line.size() + 2, section.size()));
  return line;
}

/// Whether a field must have been known before the body.
bool is_too_late(field id) noexcept {
  switch (id) {
    case field::authorization:
    case field::cache_control:
    case field::connection:
    case field::content_encoding:
    case field::content_length:
    case field::content_range:
    case field::content_type:
    case field::cookie:
    case field::expect:
    case field::host:
    case field::if_match:
    case field::if_modified_since:
    case field::if_none_match:
    case field::if_range:
    case field::if_unmodified_since:
    case field::keep_alive:
    case field::max_forwards:
    case field::pragma:
    case field::proxy_authorization:
    case field::proxy_connection:
    case field::range:
    case field::set_cookie:
    case field::te:
    case field::trailer:
    case field::transfer_encoding:
    case field::upgrade:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool are_trailers(std::string_view section) noexcept {
  for (std::string_view line = take_line(section); !line.empty(); line = take_line(section)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return false;
  }
  return true;
}

std::optional<std::span<const Header>> read_trailers(std::string_view section,
                                                     base::Region& region) noexcept {
  const auto lines = static_cast<std::size_t>(std::count(section.begin(), section.end(), '\n'));
  if (lines <= 1) return std::span<const Header>();
  auto* headers = region.make_array<Header>(lines - 1);
  if (headers == nullptr) return std::nullopt;
  std::size_t count = 0;
  for (std::string_view line = take_line(section); !line.empty(); line = take_line(section)) {
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    const field id = boost::beast::http::string_to_field(name);
    if (!is_too_late(id)) headers[count++] = {id, name, trim(line.substr(colon + 1))};
  }
  return std::span<const Header>(headers, count);
}

}  // namespace signet::http
