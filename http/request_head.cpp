#include <signet/http/request.hpp>

namespace signet::http {
namespace {

/// A view that lies in `from` moves to the same place of `to`; any other, such as a static one, stays.
std::string_view moved(std::string_view view, std::string_view from, std::string_view to) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(from.data());
  const auto at = reinterpret_cast<std::uintptr_t>(view.data());
  if (at < begin || at + view.size() > begin + from.size()) return view;
  return to.substr(at - begin, view.size());
}

}  // namespace

void rebase(RequestHead& head, std::span<Header> headers, std::string_view octets) noexcept {
  const std::string_view from = head.octets;
  for (std::string_view* view :
       {&head.method_string, &head.target, &head.path, &head.query, &head.host, &head.octets}) {
    *view = moved(*view, from, octets);
  }
  for (Header& header : headers) {
    header.name = moved(header.name, from, octets);
    header.value = moved(header.value, from, octets);
  }
  head.headers = headers;
}

}  // namespace signet::http
