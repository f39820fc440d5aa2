#include <signet/http/ascii.hpp>
#include <signet/http/percent.hpp>

namespace signet::http {

Decoding percent_decode(std::string_view& text, base::Region& region) noexcept {
  if (text.find('%') == std::string_view::npos) return Decoding::done;
  auto* decoded = static_cast<char*>(region.allocate(text.size(), 1));
  if (decoded == nullptr) return Decoding::no_memory;
  std::size_t size = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded[size++] = text[at];
      continue;
    }
    if (text.size() - at < 3) return Decoding::bad_escape;
    const int high = hex_value(text[at + 1]);
    const int low = hex_value(text[at + 2]);
    if (high < 0 || low < 0 || (high | low) == 0) return Decoding::bad_escape;
    decoded[size++] = static_cast<char>(high * 16 + low);
    at += 2;
  }
  text = {decoded, size};
  return Decoding::done;
}

}  // namespace signet::http
