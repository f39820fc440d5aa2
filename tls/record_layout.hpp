// The numbers of the record layer, and the only place that knows them (RFC 8446 section 5, RFC 8449).
#pragma once

#include <signet/base/recv_buffer.hpp>
#include <signet/base/send_buffer.hpp>

namespace signet::tls {

constexpr std::size_t record_header_bytes = 5;
constexpr std::size_t max_plaintext_bytes = 16384;         // RFC 8446 section 5.1
constexpr std::size_t max_ciphertext_bytes = 16384 + 256;  // RFC 8446 section 5.2
constexpr std::size_t max_record_bytes = record_header_bytes + max_ciphertext_bytes;
constexpr std::size_t inner_type_bytes = 1;
constexpr std::size_t min_record_size_limit = 64;  // RFC 8449 section 4

/// A record that is not protected: the header alone.
constexpr base::RecordRoom plain_record_room{record_header_bytes, 0, max_plaintext_bytes};
/// TLS 1.3: header, then inner content type and tag.
constexpr base::RecordRoom tls13_record_room{record_header_bytes, inner_type_bytes + 16, max_plaintext_bytes};

// A partial head or handshake message and one whole record fit a receive buffer together.
static_assert(base::RecvBuffer::capacity >= max_record_bytes + 16384);
// Four full records can be sealed ahead.
static_assert(base::SendBuffer::capacity >= 4 * (record_header_bytes + max_plaintext_bytes + 17));

}  // namespace signet::tls
