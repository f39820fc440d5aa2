// UTCTime and GeneralizedTime of certificates (RFC 5280 section 4.1.2.5), as seconds since 1970-01-01
// 00:00:00 UTC.
#pragma once

#include <string_view>

#include <signet/crypto/der.hpp>

namespace signet::tls {

/// False when `element` is neither of the two types, is not YYMMDDHHMMSSZ or YYYYMMDDHHMMSSZ to the
/// character, or names a time that does not exist; a leap second does not. Years of two digits are 1950 to
/// 2049.
[[nodiscard]] bool parse_der_time(std::int64_t& seconds, const crypto::der::Element& element) noexcept;

/// UTCTime for years up to 2049, GeneralizedTime after that. The year is 1950 to 9999.
void write_der_time(crypto::der::Writer& writer, std::int64_t seconds) noexcept;

/// "2027-03-01 23:59:59 UTC", for people.
struct DateText {
  char characters[32];
  [[nodiscard]] std::string_view view() const noexcept { return characters; }
};
[[nodiscard]] DateText date_text(std::int64_t seconds) noexcept;

}  // namespace signet::tls
