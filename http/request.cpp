#include <signet/http/ascii.hpp>
#include <signet/http/request.hpp>

namespace signet::http {

const Header* Request::find(field id) const noexcept {
  for (const Header& header : head_.headers) {
    if (header.id == id && id != field::unknown) return &header;
  }
  return nullptr;
}

const Header* Request::find(std::string_view name) const noexcept {
  for (const Header& header : head_.headers) {
    if (equal_ignoring_case(header.name, name)) return &header;
  }
  return nullptr;
}

std::string_view Request::header(field id) const noexcept {
  const Header* found = find(id);
  return found == nullptr ? std::string_view() : found->value;
}

std::string_view Request::header(std::string_view name) const noexcept {
  const Header* found = find(name);
  return found == nullptr ? std::string_view() : found->value;
}

std::string_view Request::param(std::string_view name) const noexcept {
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) return parameter.value;
  }
  return {};
}

}  // namespace signet::http
