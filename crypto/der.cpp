#include <signet/crypto/der.hpp>

namespace signet::crypto::der {
namespace {

constexpr std::size_t max_length_octets = 3;  // 16 MiB: more than any input that is given to a reader

bool is_shortest_integer(base::Bytes value) noexcept {
  if (value.size() < 2) return true;
  const bool sign = (value[1] & 0x80) != 0;
  return !(value[0] == 0x00 && !sign) && !(value[0] == 0xff && sign);
}

// Arcs are complete, and none begins with seven zero bits.
bool is_oid(base::Bytes oid) noexcept {
  if (oid.empty() || (oid.back() & 0x80) != 0) return false;
  bool starts_arc = true;
  for (const std::uint8_t octet : oid) {
    if (starts_arc && octet == 0x80) return false;
    starts_arc = (octet & 0x80) == 0;
  }
  return true;
}

}  // namespace

bool Reader::fail(const char* what, const char* problem) noexcept { return fail_at(rest_, what, problem); }

bool Reader::fail_at(base::Bytes place, const char* what, const char* problem) noexcept {
  if (*fault_->problem != '\0') return false;
  *fault_ = {what, problem, static_cast<std::size_t>(place.data() - origin_)};
  return false;
}

bool Reader::read_length(std::size_t& content_bytes, std::size_t& header_bytes, const char* what) noexcept {
  if (rest_.size() < 2) return fail(what, "is cut off");
  const std::uint8_t first = rest_[1];
  if (first < 0x80) {
    content_bytes = first;
    header_bytes = 2;
    return true;
  }
  if (first == 0x80) return fail(what, "has an indefinite length");
  const std::size_t count = first & 0x7fu;
  if (count > max_length_octets) return fail(what, "has a length of more than three octets");
  if (rest_.size() < 2 + count) return fail(what, "is cut off");
  content_bytes = 0;
  for (std::size_t i = 0; i < count; i++) content_bytes = content_bytes << 8 | rest_[2 + i];
  header_bytes = 2 + count;
  const bool shortest = content_bytes >= 0x80 && content_bytes >> (8 * (count - 1)) != 0;
  return shortest || fail(what, "has a length that is not in its shortest form");
}

bool Reader::any(Element& element, const char* what) noexcept {
  if (rest_.empty()) return fail(what, "is missing");
  if ((rest_[0] & 0x1f) == 0x1f) return fail(what, "has a tag above 30");
  std::size_t content_bytes = 0;
  std::size_t header_bytes = 0;
  if (!read_length(content_bytes, header_bytes, what)) return false;
  if (content_bytes > rest_.size() - header_bytes) return fail(what, "is longer than what holds it");
  element = {rest_[0], rest_.first(header_bytes + content_bytes), rest_.subspan(header_bytes, content_bytes)};
  rest_ = rest_.subspan(element.whole.size());
  return true;
}

bool Reader::read(Element& element, Tag tag, const char* what) noexcept {
  if (!rest_.empty() && rest_[0] != tag) return fail(what, "has another type than it must have");
  return any(element, what);
}

bool Reader::enter(Reader& inner, Tag tag, const char* what) noexcept {
  Element element;
  return read(element, tag, what) && within(inner, element.content, what);
}

bool Reader::within(Reader& inner, base::Bytes part, const char* what) noexcept {
  if (depth_ == max_depth) return fail_at(part, what, "is nested too deeply");
  Reader made = *this;  // `inner` may be this reader
  made.rest_ = part;
  made.depth_ = depth_ + 1;
  inner = made;
  return true;
}

bool Reader::finish(const char* what) noexcept { return at_end() || fail(what, "has octets after its end"); }

bool Reader::read_boolean(bool& value, const char* what) noexcept {
  Element element;
  if (!read(element, boolean, what)) return false;
  if (element.content.size() != 1) return fail_at(element.whole, what, "is not one octet long");
  value = element.content[0] != 0;
  return element.content[0] == 0x00 || element.content[0] == 0xff ||
         fail_at(element.whole, what, "is neither 00 nor FF");
}

bool Reader::read_integer(base::Bytes& value, const char* what) noexcept {
  Element element;
  if (!read(element, integer, what)) return false;
  value = element.content;
  if (value.empty()) return fail_at(element.whole, what, "is an INTEGER without octets");
  return is_shortest_integer(value) || fail_at(element.whole, what, "is an INTEGER not in its shortest form");
}

bool Reader::read_small_integer(std::uint32_t& value, const char* what) noexcept {
  base::Bytes octets;
  if (!read_integer(octets, what)) return false;
  if ((octets[0] & 0x80) != 0) return fail_at(octets, what, "is negative");
  if (octets.size() > 4) return fail_at(octets, what, "is too large");
  value = 0;
  for (const std::uint8_t octet : octets) value = value << 8 | octet;
  return true;
}

bool Reader::read_oid(base::Bytes& oid, const char* what) noexcept {
  Element element;
  if (!read(element, object_identifier, what)) return false;
  oid = element.content;
  return is_oid(oid) || fail_at(element.whole, what, "is not a valid OBJECT IDENTIFIER");
}

bool Reader::read_octet_string(base::Bytes& octets, const char* what) noexcept {
  Element element;
  if (!read(element, octet_string, what)) return false;
  octets = element.content;
  return true;
}

bool Reader::read_bit_string(base::Bytes& bits, unsigned& unused_bits, const char* what) noexcept {
  Element element;
  if (!read(element, bit_string, what)) return false;
  const base::Bytes content = element.content;
  if (content.empty()) return fail_at(element.whole, what, "is a BIT STRING without its first octet");
  unused_bits = content[0];
  if (unused_bits > 7 || (unused_bits > 0 && content.size() == 1)) {
    return fail_at(element.whole, what, "has a wrong count of unused bits");
  }
  bits = content.subspan(1);
  const unsigned unused_mask = (1u << unused_bits) - 1;
  const bool zero = bits.empty() || (bits.back() & unused_mask) == 0;
  return zero || fail_at(element.whole, what, "has unused bits that are not zero");
}

bool Reader::read_bit_octets(base::Bytes& octets, const char* what) noexcept {
  unsigned unused_bits = 0;
  if (!read_bit_string(octets, unused_bits, what)) return false;
  return unused_bits == 0 || fail_at(octets, what, "is not a whole number of octets");
}

void Writer::raw(base::Bytes der) noexcept {
  ok_ = ok_ && der.size() <= room_.size() - used_;
  if (!ok_ || der.empty()) return;
  std::memcpy(room_.data() + used_, der.data(), der.size());
  used_ += der.size();
}

void Writer::element(Tag tag, base::Bytes content) noexcept {
  nested(tag, [&] { raw(content); });
}

void Writer::bit_octets(base::Bytes octets) noexcept {
  static constexpr std::uint8_t no_unused_bits[] = {0};
  nested(bit_string, [&] {
    raw(no_unused_bits);
    raw(octets);
  });
}

void Writer::small_integer(std::uint8_t below_128) noexcept { element(integer, {&below_128, 1}); }

void Writer::true_boolean() noexcept {
  static constexpr std::uint8_t all_ones[] = {0xff};
  element(boolean, all_ones);
}

std::size_t Writer::open(Tag tag) noexcept {
  const std::size_t begin = used_;
  const std::uint8_t header[] = {tag, 0};
  raw(header);
  return begin;
}

// The length was given one octet; a longer one moves the content up.
void Writer::close(std::size_t begin) noexcept {
  if (!ok_) return;
  const std::size_t content_bytes = used_ - begin - 2;
  if (content_bytes < 0x80) {
    room_[begin + 1] = static_cast<std::uint8_t>(content_bytes);
    return;
  }
  const std::size_t count = content_bytes < 0x100 ? 1 : 2;
  ok_ = content_bytes < 0x10000 && count <= room_.size() - used_;
  if (!ok_) return;
  std::uint8_t* const content = room_.data() + begin + 2;
  std::memmove(content + count, content, content_bytes);
  room_[begin + 1] = static_cast<std::uint8_t>(0x80 | count);
  for (std::size_t i = 0; i < count; i++) {
    content[i] = static_cast<std::uint8_t>(content_bytes >> (8 * (count - 1 - i)));
  }
  used_ += count;
}

}  // namespace signet::crypto::der
