#include <cstring>
#include <functional>
#include <memory>

#include <signet/http/ascii.hpp>
#include <signet/http/response.hpp>

namespace signet::http {
namespace {

/// A foreign body up to here is copied behind its head: one record instead of two.
constexpr std::uint64_t copied_bytes = 4096;
constexpr std::size_t most_field_bytes = 64 * 1024;

/// A field value holds visible octets, SP and HTAB (RFC 9110 section 5.5): a CR or LF would begin another
/// field.
constexpr OctetSet value_octets = [] {
  OctetSet set{};
  for (unsigned c = 0; c < 256; ++c) set[c] = (c >= 0x20 && c != 0x7f) || c == '\t';
  return set;
}();

bool written_by_us(field id) noexcept {
  switch (id) {
    case field::content_length:
    case field::transfer_encoding:
    case field::connection:
    case field::keep_alive:
    case field::date:
    case field::upgrade:
    case field::trailer:
      return true;
    default:
      return false;
  }
}

/// 205 has a Content-Length, of 0 (RFC 9110 section 15.3.6).
bool never_has_body(http::status code) noexcept {
  return bodiless(code) || code == http::status::reset_content;
}

}  // namespace

bool Response::fail(std::string_view fault) noexcept {
  failed_ = true;
  if (fault_.empty()) fault_ = fault;
  return false;
}

bool Response::status(http::status code) noexcept {
  if (head_written_ || finished_) return false;
  const auto number = static_cast<unsigned>(code);
  if (number < 200 || number > 999) return fail("a status outside 200 to 999");
  status_ = code;
  return true;
}

bool Response::header(field id, std::string_view value) noexcept {
  if (head_written_ || finished_) return false;
  if (id == field::unknown) return fail("a header field without a name");
  if (written_by_us(id)) return fail("a header field that the server writes itself");
  if (!all_in(value_octets, value)) return fail("a control character in a header field");
  has_type_ = has_type_ || id == field::content_type;
  return add_field(boost::beast::http::to_string(id), value);
}

bool Response::header(std::string_view name, std::string_view value) noexcept {
  const field id = boost::beast::http::string_to_field(name);
  if (id != field::unknown) return header(id, value);
  if (head_written_ || finished_) return false;
  if (!is_token(name)) return fail("a header name that is no token");
  if (!all_in(value_octets, value)) return fail("a control character in a header field");
  return add_field(name, value);
}

bool Response::add_field(std::string_view name, std::string_view value) noexcept {
  const std::size_t bytes = name.size() + value.size() + 4;
  if (!reserve_fields(bytes)) return false;
  char* at = fields_ + fields_size_;
  std::memcpy(at, name.data(), name.size());
  at += name.size();
  std::memcpy(at, ": ", 2);
  at += 2;
  if (!value.empty()) std::memcpy(at, value.data(), value.size());
  std::memcpy(at + value.size(), "\r\n", 2);
  fields_size_ += static_cast<std::uint32_t>(bytes);
  return true;
}

bool Response::reserve_fields(std::size_t more) noexcept {
  if (more > most_field_bytes - fields_size_) return fail("too many header fields");
  const std::size_t wanted = fields_size_ + more;
  if (wanted <= fields_room_) return true;
  const std::size_t room = std::max<std::size_t>({wanted, 2 * std::size_t{fields_room_}, 256});
  auto* grown = static_cast<char*>(region_->allocate(room, 1));
  if (grown == nullptr) return fail("no memory for header fields");
  if (fields_size_ != 0) std::memcpy(grown, fields_, fields_size_);
  fields_ = grown;
  fields_room_ = static_cast<std::uint32_t>(room);
  return true;
}

std::span<char> Response::body(std::size_t n) noexcept {
  char* place = place_body(n);
  if (place == nullptr) return {};
  // What the handler leaves out must not be what an earlier answer left there.
  std::memset(place, 0, n);
  return {place, n};
}

bool Response::body(std::string_view octets) noexcept { return copy_body({&octets, 1}); }

bool Response::whole(http::status code, std::string_view type,
                     std::span<const std::string_view> pieces) noexcept {
  take_back();
  if (!status(code)) return false;
  if (!has_type_ && !(has_type_ = add_field("Content-Type", type))) return false;
  return copy_body(pieces);
}

bool Response::copy_body(std::span<const std::string_view> pieces) noexcept {
  std::size_t total = 0;
  for (const std::string_view piece : pieces) total += piece.size();
  if (sends_no_body()) {
    set_pending({}, total);
    return !finished_;
  }
  char* at = place_body(total);
  if (at == nullptr) return false;
  for (const std::string_view piece : pieces) {
    if (!piece.empty()) std::memcpy(at, piece.data(), piece.size());
    at += piece.size();
  }
  return true;
}

/// Where a body of `n` octets is to be written: in the cell behind its head, else in the region.
char* Response::place_body(std::size_t n) noexcept {
  if (finished_) return nullptr;
  take_back();
  if (!failed_ && !sends_no_body()) {
    length_ = n;
    if (head_into_cell(n)) {
      char* place = reinterpret_cast<char*>(cells_->window().data());
      cells_->wrote(n);
      in_cell_ += n;
      body_bytes_ = n;
      return place;
    }
  }
  auto* place = static_cast<char*>(region_->allocate(n, 1));
  if (place == nullptr) {
    fail("no memory for a body");
    return nullptr;
  }
  set_pending({place, n}, n);
  return place;
}

/// A body that is sealed from its place: `octets` are at hand, `total` in all.
void Response::set_pending(std::string_view octets, std::uint64_t total) noexcept {
  if (finished_) return;
  take_back();
  length_ = remaining_ = total;
  piece_ = octets;
}

bool Response::view(std::string_view octets) noexcept {
  set_pending(octets, octets.size());
  return !finished_;
}

bool Response::own(std::string&& octets) noexcept {
  if (finished_) return false;
  auto* kept = region_->make<std::string>(std::move(octets));
  if (kept == nullptr) return fail("no memory for a body");
  set_pending(*kept, kept->size());
  owned_ = kept;
  return true;
}

bool Response::body_from(Body& source, std::uint64_t total) noexcept {
  if (!set_source(source, total)) return false;
  foreign_source_ = true;
  return true;
}

bool Response::set_source(Body& source, std::uint64_t total) noexcept {
  if (finished_) {
    std::destroy_at(&source);
    return false;
  }
  set_pending({}, total);
  source_ = &source;
  return true;
}

bool Response::repeat(std::string_view piece, std::uint64_t total) noexcept {
  if (piece.empty() && total != 0) return fail("an empty piece to repeat");
  auto* source = region_->make<RepeatedBody>(piece);
  return source == nullptr ? fail("no memory for a body") : set_source(*source, total);
}

bool Response::stream(StreamFunction function) noexcept {
  const bool chunked = facts_.version == 11;
  const auto framing = chunked ? Stream::Framing::chunked : Stream::Framing::plain;
  if (!function) return fail("a stream without a function");
  auto* source = region_->make<Stream>(std::move(function), framing, UINT64_MAX, *exchange_);
  if (source == nullptr) return fail("no memory for a body");
  if (!set_source(*source, UINT64_MAX)) return false;
  open_ended_ = true;
  return true;
}

bool Response::stream(std::uint64_t length, StreamFunction function) noexcept {
  if (!function) return fail("a stream without a function");
  auto* source = region_->make<Stream>(std::move(function), Stream::Framing::plain, length, *exchange_);
  return source == nullptr ? fail("no memory for a body") : set_source(*source, length);
}

void Response::drop_body() noexcept {
  if (source_ != nullptr) std::destroy_at(source_);
  if (owned_ != nullptr) std::destroy_at(owned_);
  source_ = nullptr;
  owned_ = nullptr;
  piece_ = {};
  remaining_ = 0;
  open_ended_ = foreign_source_ = false;
}

void Response::take_back() noexcept {
  if (finished_) return;
  if (in_cell_ != 0) cells_->unwrite(in_cell_);
  in_cell_ = 0;
  head_written_ = false;
  length_ = 0;
  body_bytes_ = 0;
  drop_body();
}

void Response::reset_to_error(http::status code, std::string_view reason) noexcept {
  if (finished_) return;
  take_back();
  fields_size_ = 0;
  has_type_ = false;
  failed_ = false;
  const std::array<std::string_view, 2> pieces{reason, "\n"};
  whole(code, "text/plain; charset=utf-8", pieces);
}

void Response::finish() noexcept {
  if (finished_) return;
  held_ = false;
  replace_if_failed();
  const bool open_ended = open_ended_;
  if (sends_no_body()) drop_body();
  open_ended_ = open_ended;
  if (never_has_body(status_)) length_ = 0, open_ended_ = false;
  if (framing() == Framing::close) facts_.keep_alive = false;
  if (!head_written_ && head_into_cell(0)) copy_small_body();
  finished_ = true;
  cells_ = nullptr;
}

/// Answers 500; when there is no memory even for that, without a body.
void Response::replace_if_failed() noexcept {
  if (!failed_) return;
  reset_to_error(http::status::internal_server_error, "the server could not make its answer");
  if (!failed_) return;
  take_back();
  fields_size_ = 0;
  status_ = http::status::internal_server_error;
  failed_ = false;
}

void Response::copy_small_body() noexcept {
  if (remaining_ > copied_bytes || remaining_ > cells_->window().size()) return;
  while (remaining_ != 0) {
    const base::Bytes octets = next(static_cast<std::size_t>(remaining_));
    if (octets.empty()) return;
    std::memcpy(cells_->window().data(), octets.data(), octets.size());
    cells_->wrote(octets.size());
    in_cell_ += octets.size();
    took(octets.size());
  }
}

bool Response::sends_no_body() const noexcept { return facts_.head_only || never_has_body(status_); }

Framing Response::framing() const noexcept {
  if (!open_ended_) return Framing::length;
  return facts_.version == 11 ? Framing::chunked : Framing::close;
}

ResponseHead Response::head() const noexcept {
  const std::string_view stays =
      sending_.stays.empty() && facts_.version == 10 ? connection_stays : sending_.stays;
  return {status_, sending_.date, {fields_, fields_size_},
          length_, framing(),     facts_.keep_alive ? stays : connection_close};
}

/// Writes the head to the cell if it and `behind` octets fit there.
bool Response::head_into_cell(std::uint64_t behind) noexcept {
  if (cells_ == nullptr || held_) return false;
  const ResponseHead said = head();
  const std::size_t bytes = response_head_bytes(said);
  const base::MutBytes window = cells_->window();
  if (bytes > window.size() || behind > window.size() - bytes) return false;
  write_response_head(reinterpret_cast<char*>(window.data()), said);
  cells_->wrote(bytes);
  in_cell_ += bytes;
  head_written_ = true;
  return true;
}

std::optional<std::size_t> Response::write_head(base::SendBuffer& cells) noexcept {
  if (head_written_) return 0;
  if (!long_head_.empty()) return write_head_part(cells);
  const ResponseHead said = head();
  const std::size_t bytes = response_head_bytes(said);
  const base::MutBytes window = cells.window();
  if (bytes <= window.size()) {
    write_response_head(reinterpret_cast<char*>(window.data()), said);
    cells.wrote(bytes);
    head_written_ = true;
    return bytes;
  }
  if (bytes <= cells.record_room().max_plaintext) return 0;
  auto* copy = static_cast<char*>(region_->allocate(bytes, 1));
  if (copy == nullptr) return std::nullopt;
  write_response_head(copy, said);
  long_head_ = {copy, bytes};
  return write_head_part(cells);
}

std::size_t Response::write_head_part(base::SendBuffer& cells) noexcept {
  const base::MutBytes window = cells.window();
  const std::size_t bytes = std::min(window.size(), long_head_.size());
  if (bytes != 0) std::memcpy(window.data(), long_head_.data(), bytes);
  cells.wrote(bytes);
  long_head_.remove_prefix(bytes);
  head_written_ = long_head_.empty();
  return bytes;
}

bool Response::refers_to(std::string_view octets) const noexcept {
  if (remaining_ == 0) return false;
  const std::less<const char*> before;
  const bool apart = piece_.empty() || octets.empty() ||
                     !before(piece_.data(), octets.data() + octets.size()) ||
                     !before(octets.data(), piece_.data() + piece_.size());
  return !apart || (foreign_source_ && !octets.empty());
}

base::Bytes Response::next(std::size_t most) noexcept {
  if (remaining_ == 0) return {};
  most = static_cast<std::size_t>(std::min<std::uint64_t>(most, remaining_));
  if (piece_.empty() && source_ != nullptr) {
    piece_ = source_->next(most);
    if (piece_.empty() && open_ended_ && source_->pause() == Body::Pause::ended) remaining_ = 0;
  }
  return base::as_bytes(piece_.substr(0, most));
}

void Response::took(std::size_t n) noexcept {
  piece_.remove_prefix(n);
  body_bytes_ += n;
  if (!open_ended_) remaining_ -= n;
}

}  // namespace signet::http
