#include <cstdlib>

#include <signet/http/padded_body.hpp>
#include <signet/server/body_buffer.hpp>

namespace signet::server {
namespace {

constexpr std::size_t padding = http::PaddedBody::padding;

}  // namespace

bool BodyBuffer::reserve(BodyMemory& memory, std::size_t bytes) noexcept {
  if (bytes <= capacity_ && data_ != nullptr) return true;
  if (bytes > memory.limit() || !memory.reserve(bytes + padding)) return false;
  auto* data = static_cast<std::uint8_t*>(std::malloc(bytes + padding));
  if (data == nullptr) {
    memory.release(bytes + padding);
    return false;
  }
  std::memset(data + bytes, 0, padding);
  const std::size_t size = size_;
  if (size != 0) std::memcpy(data, data_, size);
  clear();
  memory_ = &memory;
  data_ = data;
  size_ = size;
  capacity_ = bytes;
  return true;
}

void BodyBuffer::append(base::Bytes octets) noexcept {
  if (!octets.empty()) std::memcpy(data_ + size_, octets.data(), octets.size());
  size_ += octets.size();
}

void BodyBuffer::clear() noexcept {
  if (data_ == nullptr) return;
  base::wipe({data_, size_});
  std::free(data_);
  memory_->release(capacity_ + padding);
  data_ = nullptr;
  size_ = capacity_ = 0;
}

}  // namespace signet::server
