// The octets behind a request's body, hidden from a JSON parser that reads past its input.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::http {

/// simdjson reads up to `padding` octets behind a document and can take meaning from them; they belong to the
/// next request. blank() saves them and writes spaces, restore() puts them back.
class PaddedBody {
 public:
  static constexpr std::size_t padding = 64;

  PaddedBody() noexcept = default;
  PaddedBody(const PaddedBody&) = delete;
  PaddedBody& operator=(const PaddedBody&) = delete;
  ~PaddedBody() { restore(); }

  /// `padding` octets from `end` on must be writable; a second call before restore() does nothing.
  void blank(std::uint8_t* end) noexcept {
    if (end_ != nullptr) return;
    end_ = end;
    std::memcpy(saved_, end_, padding);
    std::memset(end_, ' ', padding);
  }

  /// Puts the octets back and forgets them; nothing to do when blank() was not called.
  void restore() noexcept {
    if (end_ == nullptr) return;
    std::memcpy(end_, saved_, padding);
    base::wipe(saved_);
    end_ = nullptr;
  }

 private:
  std::uint8_t* end_ = nullptr;
  std::uint8_t saved_[padding];
};

}  // namespace signet::http
