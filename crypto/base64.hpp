// Base64 (RFC 4648 section 4) without tables, so that the time does not tell the octets of a key. Used at
// start-up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <signet/base/bytes.hpp>

namespace signet::crypto {

/// Decodes text that comes in pieces. Strict: only the alphabet, padded at the end of all pieces, with zero
/// bits behind the last octet.
class Base64Decoder {
 public:
  Base64Decoder() noexcept = default;
  Base64Decoder(const Base64Decoder&) = delete;
  Base64Decoder& operator=(const Base64Decoder&) = delete;
  ~Base64Decoder() { base::wipe_object(pending_); }

  /// Appends to `octets`, which has room reserved when its contents are secret. False: reason() says why.
  [[nodiscard]] bool update(std::vector<std::uint8_t>& octets, std::string_view text);
  /// That the text was whole.
  [[nodiscard]] bool finish() noexcept;
  [[nodiscard]] const char* reason() const noexcept { return reason_; }

 private:
  [[nodiscard]] bool take(std::vector<std::uint8_t>& octets, char c);
  [[nodiscard]] bool take_padding() noexcept;
  bool fail(const char* reason) noexcept {
    reason_ = reason;
    return false;
  }

  std::uint32_t pending_ = 0;        // bits that do not fill an octet yet
  unsigned quad_characters_ = 0;     // 0 to 3: characters and padding of the quad that is open
  unsigned padding_characters_ = 0;  // 0 to 2: nothing but padding may follow the first of them
  const char* reason_ = "";
};

void append_base64(std::string& text, base::Bytes octets);

}  // namespace signet::crypto
