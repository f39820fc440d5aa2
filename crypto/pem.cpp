#include <algorithm>

#include <signet/crypto/base64.hpp>
#include <signet/crypto/pem.hpp>

namespace signet::crypto {
namespace {

constexpr std::string_view begin_mark = "-----BEGIN ";
constexpr std::string_view end_mark = "-----END ";
constexpr std::string_view dashes = "-----";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

using Blocks = base::Result<std::vector<PemBlock>, LoadFault>;

/// Lines without their ends and without blanks before them.
class Lines {
 public:
  explicit Lines(std::string_view text) noexcept : rest_(text) {
    if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  [[nodiscard]] std::string_view rest() const noexcept { return rest_; }

  bool next(std::string_view& line) noexcept {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    number_++;
    return true;
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// RFC 7468 section 3: printable characters; one blank or hyphen at a time, and neither first nor last.
bool is_label(std::string_view label) noexcept {
  if (label.empty() || label.size() > max_pem_label_bytes) return false;
  bool after_separator = true;
  for (const char c : label) {
    const bool separator = c == ' ' || c == '-';
    if (c < 0x20 || c > 0x7e || (separator && after_separator)) return false;
    after_separator = separator;
  }
  return !after_separator;
}

bool label_of(std::string_view& label, std::string_view line, std::string_view mark) noexcept {
  line.remove_prefix(mark.size());
  if (!line.ends_with(dashes)) return false;
  label = line.substr(0, line.size() - dashes.size());
  return is_label(label);
}

std::string header_reason(std::string_view line) {
  if (line.find("ENCRYPTED") != std::string_view::npos) {
    return "the block is encrypted (Proc-Type: 4,ENCRYPTED); only keys without a pass phrase are read";
  }
  return "a header line stands inside the block (RFC 7468 section 2 allows none)";
}

/// The lines of one block from the one after BEGIN on.
class BlockReader {
 public:
  BlockReader(Lines& lines, PemBlock& block) noexcept : lines_(lines), block_(block) {}

  base::Result<void, LoadFault> read() {
    block_.contents.reserve(room());
    std::string_view line;
    while (lines_.next(line)) {
      if (line.starts_with(end_mark)) return finish(line);
      if (line.find(':') != std::string_view::npos) return fault(header_reason(line));
      if (line.starts_with(dashes)) return fault("another BEGIN stands before the END of " + block_.label);
      if (!decoder_.update(block_.contents, line)) return fault(decoder_.reason());
    }
    return LoadFault{"the block " + block_.label + " has no END line", block_.line};
  }

 private:
  // What the block may decode to at most, so that no octet of a key is left behind by a vector that grows.
  [[nodiscard]] std::size_t room() const noexcept {
    return lines_.rest().substr(0, lines_.rest().find(end_mark)).size() / 4 * 3 + 3;
  }

  base::Result<void, LoadFault> finish(std::string_view line) {
    std::string_view label;
    if (!label_of(label, line, end_mark)) return fault("an END line is malformed");
    if (label != block_.label) return fault("the block " + block_.label + " ends as " + std::string(label));
    if (!decoder_.finish()) return fault(decoder_.reason());
    if (block_.contents.empty()) return fault("the block " + block_.label + " is empty");
    return {};
  }

  [[nodiscard]] LoadFault fault(std::string reason) const { return {std::move(reason), lines_.number()}; }

  Lines& lines_;
  PemBlock& block_;
  Base64Decoder decoder_;
};

Blocks fail(std::vector<PemBlock>& blocks, LoadFault fault) noexcept {
  wipe(blocks);
  return fault;
}

}  // namespace

Blocks parse_pem(base::Bytes text) noexcept {
  if (text.size() > max_pem_bytes) return LoadFault{"the file is larger than 1 MiB", 0};
  std::vector<PemBlock> blocks;
  Lines lines(base::as_text(text));
  std::string_view line;
  while (lines.next(line)) {
    if (line.starts_with(end_mark))
      return fail(blocks, {"an END line has no BEGIN line before it", lines.number()});
    if (!line.starts_with(begin_mark)) continue;
    std::string_view label;
    if (!label_of(label, line, begin_mark))
      return fail(blocks, {"a BEGIN line is malformed", lines.number()});
    if (blocks.size() == max_pem_blocks)
      return fail(blocks, {"the file has more than 64 blocks", lines.number()});
    blocks.push_back({std::string(label), {}, lines.number()});
    const auto read = BlockReader(lines, blocks.back()).read();
    if (!read) return fail(blocks, read.error());
  }
  if (blocks.empty()) return LoadFault{"the file has no PEM block (-----BEGIN ...-----)", 0};
  return blocks;
}

bool looks_like_pem(base::Bytes file) noexcept {
  Lines lines(base::as_text(file));
  std::string_view line;
  while (lines.next(line)) {
    if (line.starts_with(begin_mark)) return true;
  }
  return false;
}

std::string write_pem(std::string_view label, base::Bytes contents) {
  constexpr std::size_t line_octets = 48;  // 64 characters
  std::string text;
  text.reserve(contents.size() / line_octets * 65 + 2 * label.size() + 128);
  text.append(begin_mark).append(label).append(dashes).append("\n");
  while (!contents.empty()) {
    const base::Bytes line = contents.first(std::min(line_octets, contents.size()));
    append_base64(text, line);
    text += '\n';
    contents = contents.subspan(line.size());
  }
  return text.append(end_mark).append(label).append(dashes).append("\n");
}

void wipe(std::vector<PemBlock>& blocks) noexcept {
  for (PemBlock& block : blocks) base::wipe(block.contents);
}

}  // namespace signet::crypto
