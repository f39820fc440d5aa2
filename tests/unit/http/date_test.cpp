#include <ctime>
#include <string>

#include <doctest/doctest.h>

#include <signet/http/date.hpp>

namespace {

std::string date(std::int64_t seconds) {
  std::string out(signet::http::date_bytes, '#');
  signet::http::format_date(std::span<char, signet::http::date_bytes>(out.data(), out.size()), seconds);
  return out;
}

std::string by_libc(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  char out[64];
  return {out, std::strftime(out, sizeof out, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

}  // namespace

TEST_CASE("RFC 9110's own example, and the ends") {
  CHECK(date(784111777) == "Sun, 06 Nov 1994 08:49:37 GMT");
  CHECK(date(0) == "Thu, 01 Jan 1970 00:00:00 GMT");
  CHECK(date(-1) == "Thu, 01 Jan 1970 00:00:00 GMT");
  CHECK(date(253402300799) == "Fri, 31 Dec 9999 23:59:59 GMT");
  CHECK(date(253402300800) == "Fri, 31 Dec 9999 23:59:59 GMT");
}

TEST_CASE("every day of four centuries, as the C library has it") {
  std::int64_t wrong = 0;
  for (std::int64_t day = 0; day < 146100; ++day) {
    const std::int64_t second = day * 86400 + (day * 7919) % 86400;
    if (date(second) != by_libc(second)) wrong++;
  }
  CHECK(wrong == 0);
}
