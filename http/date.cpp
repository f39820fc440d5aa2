#include <algorithm>
#include <cstring>

#include <signet/http/date.hpp>

namespace signet::http {
namespace {

constexpr std::int64_t last_second = 253402300799;  // of the year 9999
constexpr std::int64_t seconds_a_day = 86400;

struct Day {
  unsigned year;
  unsigned month;  // 0 to 11
  unsigned day;    // 1 to 31
};

constexpr bool leap(unsigned year) noexcept { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

/// Days from the first of January of the year 1 to that of `year`.
constexpr unsigned days_before(unsigned year) noexcept {
  const unsigned past = year - 1;
  return past * 365 + past / 4 - past / 100 + past / 400;
}

constexpr Day day_of(unsigned days_since_1970) noexcept {
  const unsigned days = days_since_1970 + days_before(1970);
  unsigned year = days / 366 + 1;  // never too late; at most a few years early
  while (days_before(year + 1) <= days) ++year;
  unsigned left = days - days_before(year);
  constexpr unsigned char lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  unsigned month = 0;
  for (;; ++month) {
    const unsigned length = lengths[month] + (month == 1 && leap(year) ? 1u : 0u);
    if (left < length) break;
    left -= length;
  }
  return {year, month, left + 1};
}

char* put_two(char* out, unsigned value) noexcept {
  out[0] = static_cast<char>('0' + value / 10);
  out[1] = static_cast<char>('0' + value % 10);
  return out + 2;
}

char* put(char* out, const char* text, std::size_t size) noexcept {
  std::memcpy(out, text, size);
  return out + size;
}

}  // namespace

void format_date(std::span<char, date_bytes> out, std::int64_t unix_seconds) noexcept {
  const std::int64_t seconds = std::clamp<std::int64_t>(unix_seconds, 0, last_second);
  const auto days = static_cast<unsigned>(seconds / seconds_a_day);
  const auto second = static_cast<unsigned>(seconds % seconds_a_day);
  const Day day = day_of(days);
  // The first of January 1970 was a Thursday.
  char* at = put(out.data(), &"ThuFriSatSunMonTueWed"[3 * (days % 7)], 3);
  at = put(at, ", ", 2);
  at = put_two(at, day.day);
  at = put(at, " ", 1);
  at = put(at, &"JanFebMarAprMayJunJulAugSepOctNovDec"[3 * day.month], 3);
  at = put(at, " ", 1);
  at = put_two(put_two(at, day.year / 100), day.year % 100);
  at = put(at, " ", 1);
  at = put_two(at, second / 3600);
  at = put(at, ":", 1);
  at = put_two(at, second / 60 % 60);
  at = put(at, ":", 1);
  at = put_two(at, second % 60);
  put(at, " GMT", 4);
}

}  // namespace signet::http
