#include <doctest/doctest.h>

#include <signet/server/io/address.hpp>
#include <signet/server/machine.hpp>
#include <signet/server/options.hpp>

using namespace signet::server;

namespace {

std::optional<int> parse(Options& options, std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  return options.parse(static_cast<int>(arguments.size()), arguments.data(), "a test");
}

std::string text_of(std::string_view text) {
  Address address;
  if (!parse_address(address, text)) return "refused";
  char room[Address::text_bytes];
  return std::string(address.text(room));
}

}  // namespace

TEST_CASE("durations") {
  Options::Duration d{};
  CHECK((parse_duration(d, "500ms") && d.count() == 500));
  CHECK((parse_duration(d, "10s") && d.count() == 10'000));
  CHECK((parse_duration(d, "7") && d.count() == 7'000));
  CHECK((parse_duration(d, "2m") && d.count() == 120'000));
  for (const char* wrong : {"", "s", "0", "0ms", "10h", "-1s", "1.5s", "10 s", "99999999999s", "25000m"})
    CHECK_FALSE(parse_duration(d, wrong));
}

TEST_CASE("addresses are read and written") {
  CHECK(text_of("127.0.0.1:8443") == "127.0.0.1:8443");
  CHECK(text_of("[::1]:8443") == "[::1]:8443");
  CHECK(text_of("localhost:0") == "127.0.0.1:0");
  CHECK(text_of(":80") == "[::]:80");
  for (const char* wrong : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", "[127.0.0.1]:80",
                            "[]:1", "example:80", "1.2.3:80", "127.0.0.1:8x"})
    CHECK(text_of(wrong) == "refused");
}

TEST_CASE("a command line fills the options") {
  Options options;
  CHECK_FALSE(parse(options, {"--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--plain", "--workers", "3",
                              "--areas", "8", "--idle-timeout", "90s", "--drain", "250ms"}));
  CHECK(options.listen.size() == 2);
  CHECK(options.plain);
  CHECK(options.workers == 3);
  CHECK(options.areas == 8);
  CHECK(options.idle_timeout.count() == 90'000);
  CHECK(options.drain.count() == 250);
}

TEST_CASE("a wrong command line is exit code 2, help and version are 0") {
  Options options;
  for (const std::vector<const char*>& wrong : {std::vector<const char*>{"--listen", "nowhere"},
                                                {"--workers", "0"},
                                                {"--workers", "x"},
                                                {"--cert", "a"},
                                                {"--areas", "0"},
                                                {"--tickets", "1"},
                                                {"--idle-timeout", "soon"},
                                                {"--log-level", "loud"},
                                                {"--unknown"}})
    CHECK(parse(options, wrong) == 2);
  CHECK(parse(options, {"--help"}) == 0);
  CHECK(parse(options, {"--version"}) == 0);
}

TEST_CASE("CPUs of a quota") {
  CHECK(quota_cpus("150000 100000") == 2);
  CHECK(quota_cpus("100000 100000") == 1);
  CHECK(quota_cpus("10000 100000") == 1);
  CHECK(quota_cpus("max 100000") == 0);
  CHECK(quota_cpus("") == 0);
  CHECK(quota_cpus("-1 100000") == 0);
  CHECK(usable_cpus() >= 1);
}
