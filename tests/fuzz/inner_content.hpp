// What a peer makes of a sealed record's inside: the last octet that is not zero is the type (RFC 8446
// section 5.4).
#pragma once

#include <signet/tests/fuzz/input.hpp>
#include <signet/tls/record.hpp>

namespace signet::fuzz {

struct InnerContent {
  tls::ContentType type = tls::ContentType::invalid;
  Octets content;

  /// Of `content`, sealed as `type`. A type of zero is padding, so that the content's own end can be the
  /// type.
  InnerContent(tls::ContentType sealed_type, base::Bytes sealed) : content(sealed.begin(), sealed.end()) {
    content.push_back(static_cast<std::uint8_t>(sealed_type));
    while (!content.empty() && content.back() == 0) content.pop_back();
    if (content.empty()) return;
    type = static_cast<tls::ContentType>(content.back());
    content.pop_back();
  }
};

}  // namespace signet::fuzz
