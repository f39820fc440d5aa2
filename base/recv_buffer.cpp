#include <algorithm>

#include <signet/base/recv_buffer.hpp>

namespace signet::base {

MutBytes RecvBuffer::room(std::size_t least) noexcept {
  if (capacity - raw_end_ < least) pinned_ ? move_raw_to_plain() : move_to_front();
  unpoison(storage_ + raw_end_, capacity - raw_end_);
  return {storage_ + raw_end_, capacity - raw_end_};
}

void RecvBuffer::opened(std::size_t record, const std::uint8_t* at, std::size_t plain,
                        std::size_t written) noexcept {
  if (at == outside_.data()) {
    outside_ = outside_.subspan(plain);
    outside_bytes_ += plain;
    return skip(record);
  }
  const auto begin = static_cast<std::uint32_t>(at - storage_);
  if (plain_begin_ == plain_end_ && !pinned_) plain_begin_ = plain_end_ = begin;
  plain_end_ = begin + static_cast<std::uint32_t>(plain);
  written_ = std::max(written_, begin + static_cast<std::uint32_t>(written));
  raw_begin_ += static_cast<std::uint32_t>(record);
  restart_if_empty();
}

void RecvBuffer::accept_plain() noexcept {
  if (plain_begin_ == plain_end_ && !pinned_) plain_begin_ = plain_end_ = raw_begin_;
  if (plain_end_ != raw_begin_)
    std::memmove(storage_ + plain_end_, storage_ + raw_begin_, raw_end_ - raw_begin_);
  plain_end_ += raw_end_ - raw_begin_;
  raw_begin_ = raw_end_ = plain_end_;
  written_ = std::max(written_, plain_end_);
}

void RecvBuffer::take_from(RecvBuffer& from) noexcept {
  const std::uint32_t plain = from.plain_end_ - from.plain_begin_;
  const std::uint32_t raw = from.raw_end_ - from.raw_begin_;
  unpoison(storage_, plain + raw);
  std::memcpy(storage_, from.storage_ + from.plain_begin_, plain);
  std::memcpy(storage_ + plain, from.storage_ + from.raw_begin_, raw);
  plain_begin_ = 0;
  plain_end_ = raw_begin_ = plain;
  raw_end_ = plain + raw;
  written_ = std::max(written_, plain);
  from.wipe();
}

void RecvBuffer::wipe() noexcept {
  unpoison(storage_, capacity);
  base::wipe({storage_, written_});
  plain_begin_ = plain_end_ = raw_begin_ = raw_end_ = written_ = 0;
  pinned_ = false;
  open_outside({});
}

void RecvBuffer::move_raw_to_plain() noexcept {
  const std::uint32_t raw = raw_end_ - raw_begin_;
  std::memmove(storage_ + plain_end_, storage_ + raw_begin_, raw);
  raw_begin_ = plain_end_;
  raw_end_ = plain_end_ + raw;
}

void RecvBuffer::move_to_front() noexcept {
  const std::uint32_t plain = plain_end_ - plain_begin_;
  const std::uint32_t raw = raw_end_ - raw_begin_;
  unpoison(storage_, plain + raw);
  std::memmove(storage_, storage_ + plain_begin_, plain);
  std::memmove(storage_ + plain, storage_ + raw_begin_, raw);
  plain_begin_ = 0;
  plain_end_ = raw_begin_ = plain;
  raw_end_ = plain + raw;
}

}  // namespace signet::base
