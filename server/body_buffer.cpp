#include <algorithm>
#include <cstdlib>

#include <signet/http/padded_body.hpp>
#include <signet/server/body_buffer.hpp>

namespace signet::server {
namespace {

constexpr std::size_t padding = http::PaddedBody::padding;
// What is counted at once: some records.
constexpr std::size_t step = 64 * 1024;

}  // namespace

bool BodyBuffer::allocate(std::size_t bytes) noexcept {
  if (data_ != nullptr && bytes <= capacity_) return true;
  auto* data = static_cast<std::uint8_t*>(std::malloc(bytes + padding));
  if (data == nullptr) return false;
  std::memset(data + bytes, 0, padding);
  if (size_ != 0) std::memcpy(data, data_, size_);
  base::wipe({data_, size_});
  std::free(data_);
  data_ = data;
  capacity_ = bytes;
  return true;
}

bool BodyBuffer::count(BodyMemory& memory, std::size_t bytes) noexcept {
  if (bytes <= counted_) return true;
  const std::size_t wanted = std::min(capacity_, (bytes + step - 1) / step * step);
  if (!memory.take(wanted - counted_)) return false;
  memory_ = &memory;
  counted_ = wanted;
  return true;
}

void BodyBuffer::append(base::Bytes octets) noexcept {
  if (!octets.empty()) std::memcpy(data_ + size_, octets.data(), octets.size());
  size_ += octets.size();
}

void BodyBuffer::clear() noexcept {
  unlink();
  if (data_ == nullptr) return;
  // What was opened to rest() and was no data lies behind the body.
  base::wipe({data_, counted_ + padding});
  std::free(data_);
  if (memory_ != nullptr) memory_->give(counted_);
  memory_ = nullptr;
  data_ = nullptr;
  size_ = counted_ = capacity_ = 0;
}

}  // namespace signet::server
