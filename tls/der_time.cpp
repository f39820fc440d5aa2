#include <chrono>
#include <cstdio>

#include <signet/tls/der_time.hpp>

namespace signet::tls {
namespace {

namespace der = crypto::der;

struct Calendar {
  unsigned year, month, day, hour, minute, second;
};

bool two_digits(unsigned& value, const std::uint8_t* p) noexcept {
  for (int i = 0; i < 2; i++) {
    if (p[i] < '0' || p[i] > '9') return false;
  }
  value = (p[0] - unsigned{'0'}) * 10 + (p[1] - unsigned{'0'});
  return true;
}

// MMDDHHMMSSZ; the year is known.
bool parse_rest(Calendar& calendar, base::Bytes text) noexcept {
  unsigned* const fields[] = {&calendar.month, &calendar.day, &calendar.hour, &calendar.minute,
                              &calendar.second};
  for (std::size_t i = 0; i < 5; i++) {
    if (!two_digits(*fields[i], text.data() + 2 * i)) return false;
  }
  return text[10] == 'Z';
}

bool parse_utc_time(Calendar& calendar, base::Bytes text) noexcept {
  if (text.size() != 13 || !two_digits(calendar.year, text.data())) return false;
  calendar.year += calendar.year < 50 ? 2000 : 1900;
  return parse_rest(calendar, text.subspan(2));
}

bool parse_generalized_time(Calendar& calendar, base::Bytes text) noexcept {
  unsigned century = 0;
  if (text.size() != 15 || !two_digits(century, text.data())) return false;
  if (!two_digits(calendar.year, text.data() + 2)) return false;
  calendar.year += 100 * century;
  return parse_rest(calendar, text.subspan(4));
}

bool to_seconds(std::int64_t& seconds, const Calendar& c) noexcept {
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(c.year)),
                                         std::chrono::month(c.month), std::chrono::day(c.day)};
  if (!date.ok() || c.hour > 23 || c.minute > 59 || c.second > 59) return false;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  seconds = days * 86'400 + c.hour * 3'600 + c.minute * 60 + c.second;
  return true;
}

Calendar to_calendar(std::int64_t seconds) noexcept {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto second = static_cast<unsigned>((time - day).count());
  return {static_cast<unsigned>(static_cast<int>(date.year())),
          static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day()),
          second / 3'600,
          second / 60 % 60,
          second % 60};
}

}  // namespace

bool parse_der_time(std::int64_t& seconds, const der::Element& element) noexcept {
  Calendar calendar;
  if (element.tag == der::utc_time) {
    return parse_utc_time(calendar, element.content) && to_seconds(seconds, calendar);
  }
  return element.tag == der::generalized_time && parse_generalized_time(calendar, element.content) &&
         to_seconds(seconds, calendar);
}

void write_der_time(der::Writer& writer, std::int64_t seconds) noexcept {
  const Calendar c = to_calendar(seconds);
  char text[32];
  const int written = std::snprintf(text, sizeof text, "%04u%02u%02u%02u%02u%02uZ", c.year, c.month, c.day,
                                    c.hour, c.minute, c.second);
  const std::string_view whole(text, static_cast<std::size_t>(written));
  if (c.year < 2050) {
    writer.element(der::utc_time, base::as_bytes(whole.substr(2)));
  } else {
    writer.element(der::generalized_time, base::as_bytes(whole));
  }
}

DateText date_text(std::int64_t seconds) noexcept {
  const Calendar c = to_calendar(seconds);
  DateText text;
  std::snprintf(text.characters, sizeof text.characters, "%04u-%02u-%02u %02u:%02u:%02u UTC", c.year, c.month,
                c.day, c.hour, c.minute, c.second);
  return text;
}

}  // namespace signet::tls
