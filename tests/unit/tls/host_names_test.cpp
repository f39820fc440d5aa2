#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <signet/tls/extensions.hpp>
#include <signet/tls/host_names.hpp>
#include <signet/tls/ip_literal.hpp>

using namespace signet;
using namespace signet::tls;
using Kind = HostName::Kind;

namespace {

using Octets = std::vector<std::uint8_t>;

std::optional<HostName> dns(std::string_view text) {
  return host_name({GeneralName::Kind::dns, base::as_bytes(text)});
}

std::vector<HostName> names_of(const std::vector<std::string>& texts) {
  std::vector<HostName> names;
  for (const std::string& text : texts) {
    CAPTURE(text);
    const auto name = dns(text);
    REQUIRE(name.has_value());
    names.push_back(*name);
  }
  return names;
}

bool covers(std::string_view name, std::string_view host) {
  const std::vector<std::string> texts{std::string(name)};
  return covering_name(names_of(texts), host, 0) == 1;
}

bool covers_address(const Octets& address, std::string_view host) {
  const auto name = host_name({GeneralName::Kind::ip, address});
  REQUIRE(name.has_value());
  return covering_name(std::span(&*name, 1), host, 0) == 1;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; i++) all += text;
  return all;
}

// The octets in hexadecimal; empty when the text is refused.
std::string ipv6(std::string_view text) {
  std::uint8_t octets[ipv6_bytes];
  if (!parse_ipv6(octets, text)) return "";
  std::string hex;
  for (const std::uint8_t octet : octets) {
    for (const int digit : {octet >> 4, octet & 15}) hex += "0123456789abcdef"[digit];
  }
  return hex;
}

// 252 octets, one under the most that a name may have.
const std::string longest_domain = repeated(std::string(62, 'a') + ".", 3) + std::string(60, 'b') + ".de";

}  // namespace

TEST_CASE("a domain name is covered by the same name alone, whatever the case of its letters") {
  struct Row {
    std::string_view name, host;
    bool covered;
  };
  for (const Row& row : {
           Row{"example.com", "example.com", true},
           Row{"example.com", "EXAMPLE.cOM", true},
           Row{"ExAmple.COM", "example.com", true},
           Row{"localhost", "localhost", true},
           Row{"az.example", "AZ.example", true},
           Row{"a_b.example", "a_b.example", true},
           Row{"xn--bcher-kva.example", "XN--bcher-kva.example", true},
           Row{"1.example", "1.example", true},
           Row{"example.com", "example.com.", true},
           Row{"example.com", "example.com..", false},
           Row{"example.com", ".example.com", false},
           Row{"example.com", ".", false},
           Row{"example.com", "", false},
           Row{"example.com", "www.example.com", false},
           Row{"example.com", "xexample.com", false},
           Row{"example.com", "example.co", false},
           Row{"example.com", "example.comm", false},
           Row{"example.com", "com", false},
           Row{"example.com", "example.com:443", false},
           Row{"example.com", " example.com", false},
           Row{"example.com", "example%2ecom", false},
           Row{"example.com", std::string_view("example.com\0", 12), false},
           Row{"a-b.com", "a\rb.com", false},  // the letters' bit alone apart
           Row{"a_b.com",
               "a\x7f"
               "b.com",
               false},
           Row{"k.com", "\xe2\x84\xaa.com", false},  // the Kelvin sign, which Unicode folds to k
       }) {
    CAPTURE(row.name);
    CAPTURE(row.host);
    CHECK(covers(row.name, row.host) == row.covered);
  }
}

TEST_CASE("a wildcard stands for exactly one label") {
  struct Row {
    std::string_view name, host;
    bool covered;
  };
  const std::string longest_label = std::string(63, 'x') + ".example.com";
  const std::string long_label = std::string(64, 'x') + ".example.com";
  for (const Row& row : {
           Row{"*.example.com", "www.example.com", true},
           Row{"*.EXAMPLE.com", "WWW.example.COM", true},
           Row{"*.example.com", "www.example.com.", true},
           Row{"*.example.com", "xn--bcher-kva.example.com", true},
           Row{"*.example.com", "1.example.com", true},
           Row{"*.example.com", longest_label, true},
           Row{"*.test", "example.test", true},
           Row{"*.example.com", long_label, false},
           Row{"*.example.com", "example.com", false},
           Row{"*.example.com", ".example.com", false},
           Row{"*.example.com", "a.b.example.com", false},
           Row{"*.example.com", "*.example.com", false},
           Row{"*.example.com", "-a.example.com", false},
           Row{"*.example.com", "a-.example.com", false},
           Row{"*.example.com", "a b.example.com", false},
           Row{"*.example.com", "wwwexample.com", false},
           Row{"*.example.com", "www.example.org", false},
           Row{"*.example.com", "www.example.com.evil.org", false},
           Row{"*.test", "test", false},
           Row{"*.test", "a.b.test", false},
       }) {
    CAPTURE(row.name);
    CAPTURE(row.host);
    CHECK(covers(row.name, row.host) == row.covered);
  }
}

TEST_CASE("malformed names of a certificate are none") {
  for (const std::string_view name : {"*",
                                      "*.",
                                      "**.example.com",
                                      "w*.example.com",
                                      "*w.example.com",
                                      "w*w.example.com",
                                      "www.*.com",
                                      "*.*.example.com",
                                      "example.*",
                                      "example.com.",
                                      ".example.com",
                                      "a..example.com",
                                      "*..example.com",
                                      "*.example.com.",
                                      ".",
                                      "",
                                      "-a.example.com",
                                      "a-.example.com",
                                      "a.-b.com",
                                      "a/b.com",
                                      "a@b.com",
                                      "a:443",
                                      "[::1]",
                                      "192.0.2.1",
                                      "*.0.2.1",
                                      "*.1",
                                      "10",
                                      "example.123"}) {
    CAPTURE(name);
    CHECK_FALSE(dns(name).has_value());
  }
  CHECK(dns("example.com")->kind == Kind::exact);
  CHECK(dns("*.example.com")->kind == Kind::wildcard);
  CHECK_FALSE(host_name({GeneralName::Kind::other, base::as_bytes("example.com")}).has_value());
}

TEST_CASE("a label has at most 63 octets and a name 253") {
  CHECK(dns(std::string(63, 'a') + ".com").has_value());
  CHECK_FALSE(dns(std::string(64, 'a') + ".com").has_value());
  CHECK_FALSE(dns("com." + std::string(64, 'a')).has_value());

  const std::string most = "c" + longest_domain;
  REQUIRE(most.size() == 253);
  CHECK(covers(most, most));
  CHECK(covers(most, most + "."));
  CHECK_FALSE(dns("c" + most).has_value());
  CHECK_FALSE(dns("*." + most.substr(1)).has_value());

  const std::string parent = most.substr(2);
  REQUIRE(dns("*." + parent).has_value());
  CHECK(covers("*." + parent, "x." + parent));
  CHECK_FALSE(covers("*." + parent, "xx." + parent));
}

TEST_CASE("an address is covered by its octets, never by a domain name or a wildcard") {
  const Octets four = {192, 0, 2, 1};
  const Octets sixteen = {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a};
  const Octets mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1};
  for (const std::string_view host : {"192.0.2.1", "192.0.2.1."}) {
    CAPTURE(host);
    CHECK(covers_address(four, host));
    CHECK_FALSE(covers("*.2.example", host));
    CHECK_FALSE(covers_address(mapped, host));
  }
  for (const std::string_view host :
       {"192.0.2.2", "192.0.2.01", "192.0.2", "192.0.2.1.1", "192.0.2.1..", "192.0.2.1:443", "[192.0.2.1]",
        "3221225985", "0xc0000201", "0xc0.0.2.1", "192.0.513", "::ffff:192.0.2.1", "192.0.2.257", ""}) {
    CAPTURE(host);
    CHECK_FALSE(covers_address(four, host));
  }
  for (const std::string_view host :
       {"2001:db8::a", "[2001:db8::a]", "[2001:DB8::A]", "[2001:0db8:0000:0000:0000:0000:0000:000a]",
        "[2001:db8:0:0::a]", "[2001:db8::0.0.0.10]", "2001:db8:0:0:0:0:0.0.0.10"}) {
    CAPTURE(host);
    CHECK(covers_address(sixteen, host));
  }
  for (const std::string_view host :
       {"2001:db8::b", "[2001:db8::a", "[2001:db8::ab", "2001:db8::a]", "[[2001:db8::a]]",
        "[2001:db8::a%25eth0]", "[2001:db8::a].", "2001:db8::a.", "[2001:db8::a]:443", "[]", "[", "]", ":"}) {
    CAPTURE(host);
    CHECK_FALSE(covers_address(sixteen, host));
  }
  CHECK(covers_address(mapped, "[::ffff:192.0.2.1]"));
  CHECK(covers_address(mapped, "::ffff:c000:201"));
  CHECK_FALSE(covers_address(four, "[::ffff:192.0.2.1]"));
  CHECK_FALSE(covers_address(Octets(4, 0), ""));
  CHECK_FALSE(covers_address(Octets(16, 0), "example.com"));
}

TEST_CASE("dotted quads") {
  std::uint8_t octets[ipv4_bytes] = {};
  REQUIRE(parse_ipv4(octets, "0.10.200.255"));
  CHECK(std::ranges::equal(octets, Octets{0, 10, 200, 255}));
  for (const std::string_view text :
       {"",         ".",        "...",       "1",         "1.2.3",     "1.2.3.",     ".1.2.3",
        "1..2.3",   "1.2.3.4.", "1.2.3.4.5", "256.0.0.1", "1.2.3.999", "1.2.3.1000", "00.1.2.3",
        "01.2.3.4", "1.2.3.04", "1.2.3.a",   "1.2.3.+4",  "1.2.3. 4",  "1.2.3.4 ",   "-1.2.3.4"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_ipv4(octets, text));
  }
}

TEST_CASE("the forms of an IPv6 address, RFC 4291 section 2.2") {
  struct Row {
    std::string_view text, octets;
  };
  for (const Row& row : {
           Row{"::", "00000000000000000000000000000000"},
           Row{"::1", "00000000000000000000000000000001"},
           Row{"1::", "00010000000000000000000000000000"},
           Row{"ABCD:EF01:2345:6789:abcd:ef01:2345:6789", "abcdef0123456789abcdef0123456789"},
           Row{"2001:DB8:0:0:8:800:200C:417A", "20010db80000000000080800200c417a"},
           Row{"2001:DB8::8:800:200C:417A", "20010db80000000000080800200c417a"},
           Row{"1:2:3:4:5:6:7::", "00010002000300040005000600070000"},
           Row{"::2:3:4:5:6:7:8", "00000002000300040005000600070008"},
           Row{"1:2:3::5:6:7:8", "00010002000300000005000600070008"},
           Row{"::13.1.68.3", "0000000000000000000000000d014403"},
           Row{"::FFFF:129.144.52.38", "00000000000000000000ffff81903426"},
           Row{"1:2:3:4:5:6:1.2.3.4", "00010002000300040005000601020304"},
           Row{"1:2:3:4:5::1.2.3.4", "00010002000300040005000001020304"},
       }) {
    CAPTURE(row.text);
    CHECK(ipv6(row.text) == row.octets);
  }
  for (const std::string_view text : {"",
                                      ":",
                                      ":::",
                                      "1",
                                      "1:",
                                      ":1",
                                      "::1::",
                                      "1::2::3",
                                      "1:::2",
                                      ":::1",
                                      "1:::",
                                      "1:2:3:4:5:6:7",
                                      "1:2:3:4:5:6:7:8:9",
                                      "1:2:3:4:5:6:7:8::",
                                      "::1:2:3:4:5:6:7:8",
                                      "1:2:3:4::5:6:7:8",
                                      "1:2:3:4:5:6:7:8:",
                                      ":1:2:3:4:5:6:7:8",
                                      ":1::",
                                      "::1:",
                                      "12345::",
                                      "::00001",
                                      "::g",
                                      "::-1",
                                      "::+1",
                                      "::1 ",
                                      " ::1",
                                      "::1%1",
                                      "::/0",
                                      "1.2.3.4",
                                      "::1.2.3",
                                      "::1.2.3.4.5",
                                      "::1.2.3.04",
                                      "::1.2.3.4:5",
                                      "::1.2.3.4::",
                                      "1:2:3:4:5:6:7:1.2.16.0",
                                      "1:2:3:4:5:6:7:1.2.3.4",
                                      "1:2:3:4:5:6::1.2.3.4",
                                      "1:2:3:4:5:1.2.3.4",
                                      "::1.2.3.4:"}) {
    CAPTURE(text);
    CHECK(ipv6(text) == "");
  }
}

TEST_CASE("the name that matched last is tried first") {
  const std::vector<std::string> texts = {"example.com", "*.example.com", "www.example.com", "other.test"};
  const std::vector<HostName> names = names_of(texts);
  CHECK(covering_name(names, "www.example.com", 0) == 2);
  CHECK(covering_name(names, "www.example.com", 3) == 3);
  CHECK(covering_name(names, "www.example.com", 2) == 2);
  CHECK(covering_name(names, "other.test", 4) == 4);
  CHECK(covering_name(names, "other.test", 1) == 4);
  CHECK(covering_name(names, "example.com", 5) == 1);
  CHECK(covering_name(names, "example.com", 255) == 1);
  CHECK(covering_name(names, "no.test", 4) == 0);
  CHECK(covering_name(std::span(names).first(3), "www.example.com", 3) == 3);
  CHECK(covering_name({}, "example.com", 0) == 0);
  CHECK(covering_name({}, "example.com", 1) == 0);
}

TEST_CASE("the last of 255 names") {
  std::vector<std::string> texts;
  for (int i = 1; i <= 255; i++) texts.push_back("h" + std::to_string(i) + ".test");
  const std::vector<HostName> names = names_of(texts);
  CHECK(covering_name(names, "h255.test", 0) == 255);
  CHECK(covering_name(names, "h255.test", 255) == 255);
  CHECK(covering_name(names, "h1.test", 255) == 1);
}

TEST_CASE("a host without its port") {
  struct Row {
    std::string_view host, without;
  };
  for (const Row& row : {
           Row{"example.com", "example.com"},
           Row{"example.com:443", "example.com"},
           Row{"example.com.:8443", "example.com."},
           Row{"example.com:", "example.com"},
           Row{"example.com:https", "example.com:https"},
           Row{"192.0.2.1:80", "192.0.2.1"},
           Row{"[::1]", "[::1]"},
           Row{"[::1]:443", "[::1]"},
           Row{"[::]:", "[::]"},
           Row{"::1", "::1"},
           Row{"2001:db8::443", "2001:db8::443"},
           Row{"a:1:2", "a:1:2"},
           Row{":443", ""},
           Row{"", ""},
       }) {
    CAPTURE(row.host);
    CHECK(host_without_port(row.host) == row.without);
  }
}

TEST_CASE("what an access log calls version, suite and group") {
  CHECK(name_of(ProtocolVersion::tls13) == "TLSv1.3");
  CHECK(name_of(ProtocolVersion::tls12) == "TLSv1.2");
  CHECK(name_of(ProtocolVersion::tls10) == "TLSv1");
  CHECK(name_of(static_cast<ProtocolVersion>(0x0305)) == "none");
  CHECK(name_of(CipherSuite::aes_128_gcm_sha256) == "TLS_AES_128_GCM_SHA256");
  CHECK(name_of(CipherSuite::aes_256_gcm_sha384) == "TLS_AES_256_GCM_SHA384");
  CHECK(name_of(CipherSuite::chacha20_poly1305_sha256) == "TLS_CHACHA20_POLY1305_SHA256");
  CHECK(name_of(NamedGroup::x25519) == "x25519");
  CHECK(name_of(NamedGroup::secp256r1) == "secp256r1");
  CHECK(name_of(NamedGroup::none) == "none");
}
