#include <cstring>

#include <signet/http/ascii.hpp>
#include <signet/http/request_id.hpp>

namespace signet::http {
namespace {

constexpr std::string_view header_name = "X-Request-Id";
constexpr std::size_t half_digits = 16;

constexpr OctetSet id_octets = letters_digits_and("._-");

void write_hex(char* at, std::uint64_t number) noexcept {
  for (std::size_t i = half_digits; i-- > 0; number >>= 4) at[i] = "0123456789abcdef"[number & 15];
}

std::string_view copy(std::string_view text, base::Region& region) noexcept {
  auto* place = static_cast<char*>(region.allocate(text.size(), 1));
  if (place == nullptr) return {};
  std::memcpy(place, text.data(), text.size());
  return {place, text.size()};
}

}  // namespace

bool is_request_id(std::string_view text) noexcept {
  return !text.empty() && text.size() <= most_request_id_bytes && all_in(id_octets, text);
}

void RequestIds::name(const Request& request) noexcept {
  if (!request.id().empty()) return;
  const std::string_view theirs = request.header(header_name);
  // A copy: the received octets may go while the answer is made.
  request.set_id(is_request_id(theirs) ? copy(theirs, request.region()) : make(request.region()));
}

void RequestIds::announce(const Request& request, Response& response) noexcept {
  name(request);
  if (!request.id().empty()) response.header(header_name, request.id());
}

std::string_view RequestIds::make(base::Region& region) noexcept {
  auto* place = static_cast<char*>(region.allocate(2 * half_digits, 1));
  if (place == nullptr) return {};
  write_hex(place, process_);
  write_hex(place + half_digits, next_.fetch_add(1, std::memory_order_relaxed));
  return {place, 2 * half_digits};
}

}  // namespace signet::http
