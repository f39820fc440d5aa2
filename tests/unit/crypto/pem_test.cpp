#include <doctest/doctest.h>

#include <signet/crypto/base64.hpp>
#include <signet/crypto/pem.hpp>
#include <signet/tests/support/test_identity.hpp>

using namespace signet::crypto;
using signet::base::as_bytes;
using signet::base::as_text;

namespace {

std::string block(std::string_view body) {
  return "-----BEGIN THING-----\n" + std::string(body) + "\n-----END THING-----\n";
}

std::string contents_of(std::string_view text) {
  const auto blocks = parse_pem(as_bytes(text));
  REQUIRE(blocks.ok());
  REQUIRE(blocks->size() == 1);
  return std::string(as_text((*blocks)[0].contents));
}

LoadFault fault_of(std::string_view text) {
  const auto blocks = parse_pem(as_bytes(text));
  REQUIRE_FALSE(blocks.ok());
  return blocks.error();
}

std::string with_crlf(std::string_view text) {
  std::string made;
  for (const char c : text) made += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return made;
}

}  // namespace

TEST_CASE("base64 of RFC 4648 section 10") {
  const std::pair<const char*, const char*> cases[] = {{"Zg==", "f"},         {"Zm8=", "fo"},
                                                       {"Zm9v", "foo"},       {"Zm9vYg==", "foob"},
                                                       {"Zm9vYmE=", "fooba"}, {"Zm9vYmFy", "foobar"}};
  for (const auto& [text, octets] : cases) {
    CHECK(contents_of(block(text)) == octets);
    std::string written;
    append_base64(written, as_bytes(octets));
    CHECK(written == text);
  }
}

TEST_CASE("every octet survives, every other character is refused") {
  std::vector<std::uint8_t> all;
  for (unsigned i = 0; i < 256; i++) all.push_back(static_cast<std::uint8_t>(i));
  const auto blocks = parse_pem(as_bytes(write_pem("ALL OCTETS", all)));
  REQUIRE(blocks.ok());
  CHECK((*blocks)[0].contents == all);
  CHECK((*blocks)[0].label == "ALL OCTETS");

  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned c = 0; c < 256; c++) {
    std::vector<std::uint8_t> octets;
    const char text[] = {static_cast<char>(c), 'A', 'A', 'A'};
    CHECK(Base64Decoder().update(octets, {text, 4}) == (alphabet.find(text[0]) != std::string_view::npos));
  }
}

TEST_CASE("malformed base64 is refused with its line") {
  const std::pair<const char*, const char*> cases[] = {
      {"Zm9", "base64 ends before a group of four is full"},
      {"Zg=", "base64 ends before a group of four is full"},
      {"Z===", "base64 has padding where none belongs"},
      {"=", "base64 has padding where none belongs"},
      {"Zg===", "base64 has padding where none belongs"},
      {"Zg==Zg==", "base64 goes on after its padding"},
      {"Zg=a", "base64 goes on after its padding"},
      {"Zh==", "base64 has bits behind the last octet that are not zero"},
      {"Zm9=", "base64 has bits behind the last octet that are not zero"},
      {"Zm-_", "a character is not base64"},
      {"Z m9", "a character is not base64"},
  };
  for (const auto& [text, reason] : cases) CHECK(fault_of(block(text)).reason == reason);
  CHECK(fault_of("\n\n-----BEGIN THING-----\nZm9v\nZ!9v\n-----END THING-----\n").line == 5);
}

TEST_CASE("line ends, trailing blanks, a byte order mark and text outside do not matter") {
  const std::string text = block("Zm9v\nYmFy");
  CHECK(contents_of(text) == "foobar");
  CHECK(contents_of(with_crlf(text)) == "foobar");
  CHECK(contents_of("\xef\xbb\xbf" + text) == "foobar");
  CHECK(contents_of("subject: somebody\n----- no block -----\n" + text + "and more text") == "foobar");
  CHECK(contents_of("-----BEGIN THING-----  \nZm9v \t\n\nYmFy\r\n-----END THING-----") == "foobar");
  CHECK(contents_of(block("Z\nm\n9\nv")) == "foo");
}

TEST_CASE("several blocks keep their order, labels and lines") {
  const std::string text =
      "x\n" + block("Zm9v") + "between\n-----BEGIN A B-C-----\nYmFy\n-----END A B-C-----\n";
  const auto blocks = parse_pem(as_bytes(text));
  REQUIRE(blocks.ok());
  REQUIRE(blocks->size() == 2);
  CHECK((*blocks)[0].label == "THING");
  CHECK((*blocks)[0].line == 2);
  CHECK((*blocks)[1].label == "A B-C");
  CHECK((*blocks)[1].line == 6);
  CHECK(as_text((*blocks)[1].contents) == "bar");
}

TEST_CASE("malformed blocks are refused with reason and line") {
  CHECK(fault_of("").reason == "the file has no PEM block (-----BEGIN ...-----)");
  CHECK(fault_of("-----BEGIN A----\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("-----BEGIN -----\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("-----BEGIN A  B-----\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("-----BEGIN -A-----\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("-----BEGIN A\x01-----\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("-----BEGIN A\x7f-----\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("-----BEGIN A------\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("-----BEGIN " + std::string(65, 'A') + "-----\n").reason == "a BEGIN line is malformed");
  CHECK(fault_of("x\n-----END A-----\n").reason == "an END line has no BEGIN line before it");
  CHECK(fault_of("x\n-----END A-----\n").line == 2);

  const LoadFault open = fault_of("x\n-----BEGIN A-----\nZm9v\n");
  CHECK(open.reason == "the block A has no END line");
  CHECK(open.line == 2);
  const LoadFault other = fault_of("-----BEGIN A-----\nZm9v\n-----END B-----\n");
  CHECK(other.reason == "the block A ends as B");
  CHECK(other.line == 3);
  CHECK(fault_of("-----BEGIN A-----\n-----END A----\n").reason == "an END line is malformed");
  CHECK(fault_of("-----BEGIN A-----\n-----END A-----\n").reason == "the block A is empty");
  CHECK(fault_of("-----BEGIN A-----\nZm9v\n-----BEGIN A-----\n").reason ==
        "another BEGIN stands before the END of A");
}

TEST_CASE("header lines are refused, and an encrypted block is called so") {
  const LoadFault encrypted = fault_of(signet::test_identity::leaf_key_legacy_encrypted);
  CHECK(encrypted.reason.starts_with("the block is encrypted"));
  CHECK(encrypted.line == 2);
  CHECK(fault_of(block("Comment: hello\n\nZm9v")).reason.starts_with("a header line stands inside"));
}

TEST_CASE("sizes and counts are bounded") {
  std::string many;
  for (std::size_t i = 0; i < max_pem_blocks; i++) many += block("Zm9v");
  CHECK(parse_pem(as_bytes(many)).ok());
  CHECK(fault_of(many + block("Zm9v")).reason == "the file has more than 64 blocks");
  CHECK(fault_of(std::string(max_pem_bytes + 1, 'x')).reason == "the file is larger than 1 MiB");
  CHECK(parse_pem(as_bytes(block("Zm9v") + std::string(max_pem_bytes - block("Zm9v").size(), 'x'))).ok());
}

TEST_CASE("a block is decoded into one allocation, so that no octet of a key is left behind") {
  const auto blocks = parse_pem(as_bytes(signet::test_identity::leaf_key_pkcs8));
  REQUIRE(blocks.ok());
  const std::vector<std::uint8_t>& contents = (*blocks)[0].contents;
  CHECK(contents.capacity() - contents.size() <= 16);  // a vector that grew by doubling would have 256
}

TEST_CASE("a broken-off text never crashes and only whole blocks are read") {
  const std::string_view text = signet::test_identity::leaf_key_sec1_with_parameters;
  for (std::size_t size = 0; size < text.size(); size++) {
    const std::vector<char> cut(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    const auto blocks = parse_pem(as_bytes({cut.data(), cut.size()}));
    if (blocks.ok()) CHECK(blocks->size() == (size < text.size() - 1 ? 1 : 2));
  }
}
