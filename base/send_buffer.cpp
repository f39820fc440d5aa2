#include <algorithm>

#include <signet/base/send_buffer.hpp>

namespace signet::base {

MutBytes SendBuffer::window() noexcept {
  const std::size_t begin = end_ + room_.headroom + std::size_t{cell_plain_};
  if (begin + room_.tailroom >= capacity) return {};
  return {storage_ + begin,
          std::min<std::size_t>(capacity - begin - room_.tailroom, room_.max_plaintext - cell_plain_)};
}

void SendBuffer::unwrite(std::size_t n) noexcept {
  cell_plain_ -= static_cast<std::uint32_t>(n);
  base::wipe({storage_ + end_ + room_.headroom + cell_plain_, n});
}

void SendBuffer::sealed(std::size_t record) noexcept {
  end_ += static_cast<std::uint32_t>(record);
  cell_plain_ = 0;
}

void SendBuffer::sent(std::size_t n) noexcept {
  begin_ += static_cast<std::uint32_t>(n);
  // Back to the front, where memory is warm; an open cell that was written to keeps its place.
  if (begin_ == end_ && cell_plain_ == 0) begin_ = end_ = 0;
}

void SendBuffer::wipe() noexcept {
  base::wipe(cell());
  begin_ = end_ = cell_plain_ = 0;
}

}  // namespace signet::base
