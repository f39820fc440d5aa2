// A slow decoder of bodies in chunks, by the grammar of RFC 9112 section 7.1: what the fast one is compared
// with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <signet/http/limits.hpp>

namespace signet::fuzz {

struct FieldByGrammar {
  std::string name;
  std::string value;
};

struct ChunksByGrammar {
  std::string body;
  std::vector<FieldByGrammar> trailers;
  std::size_t octets = 0;  ///< of the whole body, its framing included
};

/// The body that `text` begins with; nothing when there is none that is whole, well-formed and within
/// `limits`.
[[nodiscard]] std::optional<ChunksByGrammar> chunks_by_grammar(std::string_view text,
                                                               const http::Limits& limits);

/// Whether a field of this name is of no use behind the body (RFC 9110 section 6.5.1).
[[nodiscard]] bool comes_too_late(std::string_view name);

}  // namespace signet::fuzz
