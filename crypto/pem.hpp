// PEM (RFC 7468): the blocks of a text file, and one block written. Used at start-up.
#pragma once

#include <string>
#include <vector>

#include <signet/base/bytes.hpp>
#include <signet/base/result.hpp>

namespace signet::crypto {

/// Why a file could not be used. The caller puts the file's name before it.
struct LoadFault {
  std::string reason;    // one sentence without its stop
  std::size_t line = 0;  // of the text, from 1; 0 when the file is not text or the fault has no one place
};

struct PemBlock {
  std::string label;                   // "CERTIFICATE"
  std::vector<std::uint8_t> contents;  // what the base64 stands for; a key's is secret
  std::size_t line = 0;                // of its BEGIN line
};

constexpr std::size_t max_pem_bytes = 1 << 20;
constexpr std::size_t max_pem_blocks = 64;
constexpr std::size_t max_pem_label_bytes = 64;

/// All blocks of `text`, in their order. Lines end in LF or CRLF; text outside of blocks is ignored, blanks
/// at the end of lines and a UTF-8 byte order mark too. Inside, each line is base64 of any length (RFC 4648
/// section 4), padded, with zero bits behind the last octet, and END names what BEGIN named. No block at all
/// is a fault, and so are RFC 1421 headers, which mean an encrypted key. The time it takes to decode does not
/// depend on the octets decoded.
[[nodiscard]] base::Result<std::vector<PemBlock>, LoadFault> parse_pem(base::Bytes text) noexcept;

/// Whether `file` has a line that begins a block: else it may be DER.
[[nodiscard]] bool looks_like_pem(base::Bytes file) noexcept;

/// One block with lines of 64 characters and LF.
[[nodiscard]] std::string write_pem(std::string_view label, base::Bytes contents);

/// Wipes the contents of all blocks.
void wipe(std::vector<PemBlock>& blocks) noexcept;

}  // namespace signet::crypto
