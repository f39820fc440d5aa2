// TLS 1.3 records: the header, and protection in one direction (RFC 8446 section 5).
#pragma once

#include <signet/base/result.hpp>
#include <signet/tls/cipher_suite.hpp>
#include <signet/tls/failure.hpp>
#include <signet/tls/key_cache.hpp>
#include <signet/tls/record_layout.hpp>

namespace signet::tls {

enum class ContentType : std::uint8_t {
  invalid = 0,
  change_cipher_spec = 20,
  alert = 21,
  handshake = 22,
  application_data = 23,
};

struct RecordHeader {
  ContentType type;
  std::uint16_t version;
  std::uint16_t length;  // of what follows the header

  /// From the first record_header_bytes octets at `p`.
  [[nodiscard]] static RecordHeader parse(const std::uint8_t* p) noexcept {
    return {static_cast<ContentType>(p[0]), base::load_be16(p + 1), base::load_be16(p + 3)};
  }
  /// Writes record_header_bytes octets; the version is always 0x0303 (RFC 8446 section 5.1).
  static void write(std::uint8_t* p, ContentType type, std::size_t length) noexcept {
    p[0] = static_cast<std::uint8_t>(type);
    base::store_be16(p + 1, 0x0303);
    base::store_be16(p + 3, static_cast<std::uint16_t>(length));
  }
};

/// One direction's traffic secret, key and place in the sequence.
struct Protection {
  TrafficKey key;
  std::uint8_t secret[48];
  std::uint64_t sequence;
};

/// The per-record nonce (RFC 8446 section 5.3).
struct RecordNonce {
  std::uint8_t bytes[crypto::aead_nonce_bytes];
  explicit RecordNonce(const Protection& protection) noexcept;
};

/// Seals `plaintext` as one record at `record`, which has room for header, plaintext, type and tag. The
/// plaintext lies right behind the header already, or in memory that the record does not touch. Answers the
/// record's length, and takes one sequence number. The caller changes keys long before the sequence is used
/// up.
[[nodiscard]] std::size_t seal_record(std::uint8_t* record, Protection& protection,
                                      const crypto::AeadKey& key, ContentType type,
                                      base::Bytes plaintext) noexcept;

struct OpenedRecord {
  ContentType type;
  std::size_t plain;    // octets of content at the target
  std::size_t written;  // octets written there: content, type and padding
};

/// Opens the record at `record` (header and `header.length` octets) to `target`, under crypto::AeadKey's
/// overlap contract. Fails with record_too_short, record_bad_mac (the target is wiped, no sequence number is
/// taken), record_too_long (more than `max_inner` octets of content, type and padding) or
/// record_no_inner_type.
[[nodiscard]] base::Result<OpenedRecord, Failure> open_record(std::uint8_t* target, Protection& protection,
                                                              const crypto::AeadKey& key,
                                                              const std::uint8_t* record,
                                                              std::size_t max_inner) noexcept;

}  // namespace signet::tls
