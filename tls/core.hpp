// The core of a connection: the keys of both directions and what was negotiated, and how its records are
// written.
#pragma once

#include <signet/tls/key_schedule.hpp>
#include <signet/tls/record.hpp>

namespace signet::tls {

/// Kept for as long as the connection lives. Not protected until the handshake sets keys.
struct Core {
  Protection read{};
  Protection write{};
  std::uint8_t exporter_master[max_secret_bytes]{};
  CipherSuite suite = CipherSuite::none;
  NamedGroup group = NamedGroup::none;
  std::uint16_t max_plaintext = max_plaintext_bytes;  // what the peer takes (RFC 8449)
  bool read_protected = false;
  bool write_protected = false;

  [[nodiscard]] base::RecordRoom record_room() const noexcept;

  /// Begins to read or write under a traffic secret of the suite; the key before is forgotten. `prepared` is
  /// the same secret, for a caller that derives more from it.
  void set_read_secret(KeyCache& keys, const Secret& secret, const LabelKey& prepared) noexcept {
    set_secret(read, read_protected, keys, secret, prepared);
  }
  void set_write_secret(KeyCache& keys, const Secret& secret, const LabelKey& prepared) noexcept {
    set_secret(write, write_protected, keys, secret, prepared);
  }
  void set_read_secret(KeyCache& keys, const Secret& secret) noexcept {
    set_read_secret(keys, secret, LabelKey(hash_of(suite), secret.bytes()));
  }
  void set_write_secret(KeyCache& keys, const Secret& secret) noexcept {
    set_write_secret(keys, secret, LabelKey(hash_of(suite), secret.bytes()));
  }
  /// Goes on to the next generation of a direction's secret (RFC 8446 section 7.2).
  void update_read_secret(KeyCache& keys) noexcept { update_secret(read, read_protected, keys); }
  void update_write_secret(KeyCache& keys) noexcept { update_secret(write, write_protected, keys); }

  [[nodiscard]] const crypto::AeadKey& read_key(KeyCache& keys) const noexcept {
    return keys.expanded(read.key, aead_of(suite));
  }
  [[nodiscard]] const crypto::AeadKey& write_key(KeyCache& keys) const noexcept {
    return keys.expanded(write.key, aead_of(suite));
  }

  /// Makes the open cell a record of that type; nothing happens when it is empty.
  void seal_cell(base::SendBuffer& out, KeyCache& keys, ContentType type) noexcept;
  /// Appends to the open cell, in as many records of that type as it takes; the last one stays open. False
  /// when the buffer has no room.
  [[nodiscard]] bool write_bytes(base::SendBuffer& out, KeyCache& keys, ContentType type,
                                 base::Bytes bytes) noexcept;

  void wipe(KeyCache& keys) noexcept;

 private:
  void set_secret(Protection& direction, bool& is_protected, KeyCache& keys, const Secret& secret,
                  const LabelKey& prepared) noexcept;
  void update_secret(Protection& direction, bool& is_protected, KeyCache& keys) noexcept;
};

}  // namespace signet::tls
