#include <charconv>
#include <cstring>

#include <signet/base/bytes.hpp>
#include <signet/http/stream.hpp>

namespace signet::http {
namespace {

constexpr std::string_view last_chunk = "0\r\n\r\n";

}  // namespace

Stream::~Stream() {
  give_buffer_back();
  base::wipe({reinterpret_cast<std::uint8_t*>(backlog_.data()), backlog_.size()});
}

bool Stream::write(std::string_view octets) {
  if (ended_ || failed_ || !called_) return false;
  if (octets.size() > left_) return fail("more octets were written than the stream announced");
  const std::size_t fits = std::min(octets.size(), room - size_);
  if (octets.size() - fits > most_backlog - std::min(most_backlog, backlog_.size()))
    return fail("the stream did not wait for room");
  if (fits != 0) std::memcpy(buffer_ + head_room + size_, octets.data(), fits);
  size_ += fits;
  backlog_.append(octets.substr(fits));
  if (left_ != UINT64_MAX) left_ -= octets.size();
  return size_ < room;
}

std::string_view Stream::next(std::size_t) noexcept {
  if (failed_ || !fill()) return nothing();
  return frame();
}

/// Puts into the buffer what there is to send; false when there is nothing.
bool Stream::fill() noexcept {
  size_ = 0;
  const bool over = ended_ && backlog_.empty();
  if (!over && buffer_ == nullptr) buffer_ = static_cast<char*>(base::chunk_cache().take());
  if (!over && buffer_ == nullptr) return fail("no memory");
  take_backlog();
  if (!ended_ && backlog_.empty() && size_ < room) call();
  if (left_ == 0) ended_ = true;
  return !failed_ && size_ != 0;
}

void Stream::call() noexcept {
  called_ = true;
  if (!call_caught(function_, *this, thrown_)) (void)fail(thrown_);
  called_ = false;
}

void Stream::take_backlog() noexcept {
  if (backlog_.empty()) return;
  size_ = std::min(room, backlog_.size() - backlog_begin_);
  std::memcpy(buffer_ + head_room, backlog_.data() + backlog_begin_, size_);
  backlog_begin_ += size_;
  if (backlog_begin_ != backlog_.size()) return;
  base::wipe({reinterpret_cast<std::uint8_t*>(backlog_.data()), backlog_.size()});
  backlog_.clear();
  backlog_begin_ = 0;
}

/// The buffer's octets with what the framing puts around them.
std::string_view Stream::frame() noexcept {
  char* begin = buffer_ + head_room;
  char* end = begin + size_;
  if (framing_ == Framing::plain) return {begin, size_};
  char size[head_room];
  char* size_end = std::to_chars(size, size + sizeof size, size_, 16).ptr;
  *size_end++ = '\r';
  *size_end++ = '\n';
  begin -= size_end - size;
  std::memcpy(begin, size, static_cast<std::size_t>(size_end - size));
  std::memcpy(end, "\r\n", 2);
  end += 2;
  if (ended_ && backlog_.empty()) {
    std::memcpy(end, last_chunk.data(), last_chunk.size());
    end += last_chunk.size();
    last_sent_ = true;
  }
  return {begin, static_cast<std::size_t>(end - begin)};
}

/// No octets: the last chunk, or why there are none.
std::string_view Stream::nothing() noexcept {
  give_buffer_back();
  pause_ = failed_ ? Pause::failed : ended_ ? Pause::ended : Pause::waits;
  if (pause_ == Pause::ended && left_ != 0 && left_ != UINT64_MAX) {
    (void)fail("fewer octets were written than the stream announced");
    pause_ = Pause::failed;
  }
  if (pause_ != Pause::ended || framing_ == Framing::plain || last_sent_) return {};
  last_sent_ = true;
  return last_chunk;
}

bool Stream::fail(std::string_view fault) noexcept {
  failed_ = true;
  if (fault_.empty()) fault_ = fault;
  return false;
}

void Stream::give_buffer_back() noexcept {
  if (buffer_ == nullptr) return;
  base::wipe({reinterpret_cast<std::uint8_t*>(buffer_), base::chunk_bytes});
  base::chunk_cache().give(buffer_);
  buffer_ = nullptr;
}

}  // namespace signet::http
