#include <algorithm>

#include <signet/http/ascii.hpp>
#include <signet/http/cookies.hpp>
#include <signet/http/request.hpp>

namespace signet::http {
namespace {

/// A copy of `text` in `region`; false without memory.
bool keep_text(std::string_view& text, base::Region& region) noexcept {
  if (text.empty()) return true;
  auto* copy = static_cast<char*>(region.allocate(text.size(), 1));
  if (copy == nullptr) return false;
  std::memcpy(copy, text.data(), text.size());
  text = {copy, text.size()};
  return true;
}

/// A copy of `items` themselves, whose views stay as they are; null without memory.
template <class Item>
Item* keep_array(std::span<const Item> items, base::Region& region) noexcept {
  Item* copy = region.make_array<Item>(items.size());
  if (copy != nullptr) std::copy(items.begin(), items.end(), copy);
  return copy;
}

}  // namespace

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

bool Request::keep_head() noexcept {
  if (keeps_head_) return true;
  std::string_view octets = head_.octets;
  Header* headers = keep_array(head_.headers, *region_);
  if (headers == nullptr || !keep_text(octets, *region_) || !keep_parameters()) return false;
  rebase(head_, {headers, head_.headers.size()}, octets);
  keeps_head_ = true;
  return true;
}

bool Request::keep_parameters() noexcept {
  Parameter* parameters = keep_array(parameters_, *region_);
  if (parameters == nullptr) return false;
  parameters_ = {parameters, parameters_.size()};
  return std::all_of(parameters, parameters + parameters_.size(),
                     [&](Parameter& parameter) { return keep_text(parameter.value, *region_); });
}

bool Request::keep_trailers() noexcept {
  Header* trailers = keep_array(trailers_, *region_);
  if (trailers == nullptr) return false;
  trailers_ = {trailers, trailers_.size()};
  return std::all_of(trailers, trailers + trailers_.size(), [&](Header& trailer) {
    return keep_text(trailer.name, *region_) && keep_text(trailer.value, *region_);
  });
}

bool Request::keep_body() noexcept {
  auto* copy = static_cast<std::uint8_t*>(region_->allocate(body_.size() + PaddedBody::padding, 1));
  if (copy == nullptr) return false;
  if (!body_.empty()) std::memcpy(copy, body_.data(), body_.size());
  std::memset(copy + body_.size(), 0, PaddedBody::padding);
  body_ = {copy, body_.size()};
  return true;
}

bool Request::keep_all() noexcept {
  return keep_head() && keep_trailers() && keep_body() && keep_text(id_, *region_);
}

std::string_view Request::param(std::string_view name) const noexcept {
  for (const Parameter& parameter : parameters_) {
    if (parameter.name == name) return parameter.value;
  }
  return {};
}

std::optional<std::string_view> Request::query_parameter(std::string_view name) const noexcept {
  return http::query_parameter(head_.query, name, *region_);
}

std::optional<std::string_view> Request::cookie(std::string_view name) const noexcept {
  return http::cookie(head_.headers, name);
}

}  // namespace signet::http
