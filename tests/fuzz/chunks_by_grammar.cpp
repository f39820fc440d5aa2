#include <algorithm>
#include <cctype>

#include <signet/tests/fuzz/chunks_by_grammar.hpp>

namespace signet::fuzz {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view token_octets =
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view hex_digits = "0123456789abcdefABCDEF";

bool is_text(char c) {
  const auto octet = static_cast<unsigned char>(c);
  return octet == '\t' || (octet >= 0x20 && octet != 0x7f);
}

/// Takes what is of `set` off the front.
std::string_view take_all_of(std::string_view& text, std::string_view set) {
  const std::string_view taken = text.substr(0, text.find_first_not_of(set));
  text.remove_prefix(taken.size());
  return taken;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Up to the next CRLF, which is taken too; nothing when there is none, or a CR or LF before it.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find_first_of("\r\n");
  if (end == text.npos || text.substr(end, 2) != "\r\n") return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return line;
}

bool take_quoted(std::string_view& text) {
  while (!text.empty()) {
    if (take(text, '"')) return true;
    (void)take(text, '\\');
    if (text.empty() || !is_text(text.front())) return false;
    text.remove_prefix(1);
  }
  return false;
}

/// chunk-ext-val = token / quoted-string
bool take_value(std::string_view& text) {
  return take(text, '"') ? take_quoted(text) : !take_all_of(text, token_octets).empty();
}

/// chunk-ext = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
bool are_extensions(std::string_view text) {
  while (!text.empty()) {
    take_all_of(text, blanks);
    if (!take(text, ';')) return false;
    take_all_of(text, blanks);
    if (take_all_of(text, token_octets).empty()) return false;
    std::string_view rest = text;
    take_all_of(rest, blanks);
    if (!take(rest, '=')) continue;
    take_all_of(rest, blanks);
    if (!take_value(rest)) return false;
    text = rest;
  }
  return true;
}

std::optional<std::uint64_t> size_of(std::string_view digits) {
  std::uint64_t size = 0;
  for (const char digit : digits) {
    if (size > static_cast<std::uint64_t>(INT64_MAX) / 16) return std::nullopt;
    size = size * 16 + static_cast<std::uint64_t>(std::stoi(std::string(1, digit), nullptr, 16));
  }
  return size;
}

/// The size that a chunk's first line says.
std::optional<std::uint64_t> read_size_line(std::string_view line, std::size_t& all_extensions,
                                            const http::Limits& limits) {
  const std::string_view digits = take_all_of(line, hex_digits);
  all_extensions += line.size();
  const bool within = digits.size() <= limits.chunk_size_digits &&
                      line.size() <= limits.chunk_extension_bytes &&
                      all_extensions <= limits.all_chunk_extension_bytes;
  if (digits.empty() || !within || !are_extensions(line)) return std::nullopt;
  return size_of(digits);
}

std::string trimmed(std::string_view value) {
  take_all_of(value, blanks);
  const std::size_t last = value.find_last_not_of(blanks);
  return std::string(value.substr(0, last == value.npos ? 0 : last + 1));
}

std::optional<FieldByGrammar> read_field(std::string_view line) {
  const std::string_view name = take_all_of(line, token_octets);
  if (name.empty() || !take(line, ':') || !std::all_of(line.begin(), line.end(), is_text))
    return std::nullopt;
  return FieldByGrammar{std::string(name), trimmed(line)};
}

bool read_trailers(std::string_view& text, std::vector<FieldByGrammar>& fields, const http::Limits& limits) {
  const std::size_t before = text.size();
  for (;;) {
    const auto line = take_line(text);
    if (!line || before - text.size() > limits.head_bytes) return false;
    if (line->empty()) return true;
    auto field = read_field(*line);
    if (!field || fields.size() == limits.header_count) return false;
    fields.push_back(std::move(*field));
  }
}

}  // namespace

std::optional<ChunksByGrammar> chunks_by_grammar(std::string_view text, const http::Limits& limits) {
  const std::size_t all = text.size();
  ChunksByGrammar read;
  for (std::size_t extensions = 0;;) {
    const auto line = take_line(text);
    const auto size = line ? read_size_line(*line, extensions, limits) : std::nullopt;
    if (!size) return std::nullopt;
    if (*size == 0) break;
    if (*size > text.size() || text.substr(*size, 2) != "\r\n") return std::nullopt;
    read.body.append(text.substr(0, *size));
    text.remove_prefix(*size + 2);
  }
  if (!read_trailers(text, read.trailers, limits)) return std::nullopt;
  read.octets = all - text.size();
  return read;
}

bool comes_too_late(std::string_view name) {
  constexpr std::string_view names[] = {"authorization",
                                        "cache-control",
                                        "connection",
                                        "content-encoding",
                                        "content-length",
                                        "content-range",
                                        "content-type",
                                        "cookie",
                                        "expect",
                                        "host",
                                        "if-match",
                                        "if-modified-since",
                                        "if-none-match",
                                        "if-range",
                                        "if-unmodified-since",
                                        "keep-alive",
                                        "max-forwards",
                                        "pragma",
                                        "range",
                                        "proxy-authorization",
                                        "set-cookie",
                                        "proxy-connection",
                                        "te",
                                        "trailer",
                                        "transfer-encoding",
                                        "upgrade"};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(std::begin(names), std::end(names), lower) != std::end(names);
}

}  // namespace signet::fuzz
