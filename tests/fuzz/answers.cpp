#include <charconv>
#include <optional>

#include <signet/tests/fuzz/answers.hpp>
#include <signet/tests/fuzz/require.hpp>

namespace signet::fuzz {
namespace {

constexpr std::string_view line_end = "\r\n";

struct Head {
  unsigned status = 0;
  std::optional<std::uint64_t> length;
  bool chunked = false;
  bool closes = false;
  bool to_head = false;
};

std::uint64_t read_number(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  require(!digits.empty() && read.ec == std::errc() && read.ptr == digits.data() + digits.size(),
          "a length is a number");
  return value;
}

void read_field(std::string_view line, Head& head) {
  const std::size_t colon = line.find(": ");
  require(colon != line.npos && colon != 0, "a field has a name and a value");
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = line.substr(colon + 2);
  if (name == "Content-Length") {
    require(!head.length, "an answer has one length");
    head.length = read_number(value, 10);
  } else if (name == "Transfer-Encoding") {
    require(value == "chunked" && !head.chunked, "the only coding is chunked, once");
    head.chunked = true;
  } else if (name == "Connection") {
    head.closes = value == "close";
  } else if (name == "X-Method") {
    head.to_head = value == "HEAD";
  }
}

/// Takes a head off `octets`; nothing when it is not whole.
std::optional<Head> take_head(std::string_view& octets) {
  const std::size_t end = octets.find("\r\n\r\n");
  if (end == octets.npos) return std::nullopt;
  std::string_view text = octets.substr(0, end + 2);
  octets.remove_prefix(end + 4);
  require(text.size() >= 15 && text.starts_with("HTTP/1.1 ") && text[12] == ' ',
          "an answer has a status line");
  Head head;
  head.status = static_cast<unsigned>(read_number(text.substr(9, 3), 10));
  text.remove_prefix(text.find(line_end) + 2);
  while (!text.empty()) {
    const std::size_t line = text.find(line_end);
    read_field(text.substr(0, line), head);
    text.remove_prefix(line + 2);
  }
  return head;
}

bool take_octets(std::string_view& octets, std::uint64_t n) {
  if (n > octets.size()) return false;
  octets.remove_prefix(n);
  return true;
}

/// False when it is not whole.
bool take_chunks(std::string_view& octets) {
  for (;;) {
    const std::size_t end = octets.find(line_end);
    if (end == octets.npos) return false;
    const std::uint64_t size = read_number(octets.substr(0, end), 16);
    octets.remove_prefix(end + 2);
    if (!take_octets(octets, size)) return false;
    if (octets.size() < 2) return false;
    require(octets.starts_with(line_end), "a chunk ends in a line end");
    octets.remove_prefix(2);
    if (size == 0) return true;
  }
}

/// False when it is not whole.
bool take_body(const Head& head, std::string_view& octets, bool ended) {
  if (head.to_head || head.status == 204 || head.status == 304) return true;
  require(!(head.length && head.chunked), "a body has one framing");
  if (head.length) return take_octets(octets, *head.length);
  if (head.chunked) return take_chunks(octets);
  require(head.closes, "a body without a length ends with the connection");
  octets = {};
  return ended;
}

}  // namespace

Answers read_answers(std::string_view octets, bool ended) {
  Answers answers;
  for (bool last = false; !octets.empty();) {
    require(!last, "nothing follows the last answer");
    const auto head = take_head(octets);
    if (head && head->status == 100) {
      answers.interim++;
      continue;
    }
    answers.cut = !head || !take_body(*head, octets, ended);
    if (head) answers.final++;
    if (answers.cut) break;
    last = head->closes;
  }
  return answers;
}

}  // namespace signet::fuzz
