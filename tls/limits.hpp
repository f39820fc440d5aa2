// What is legal but abusive, and how much of it is taken. Counters are of consecutive events: useful data
// resets them.
#pragma once

#include <cstdint>

namespace signet::tls {

struct Limits {
  /// A handshake message of the peer. Hybrid ClientHellos have about 1,800 octets, ones with padding 4,096.
  std::uint32_t handshake_message_bytes = 16384;
  /// Records without content in a row; BoringSSL takes 32 as well.
  std::uint16_t empty_records = 32;
  /// change_cipher_spec records of compatibility mode (RFC 8446 section 5); clients send one.
  std::uint16_t change_cipher_specs = 32;
  /// Warning alerts in a row (user_canceled, RFC 8446 section 6.1); BoringSSL takes 4.
  std::uint16_t warning_alerts = 4;
  /// KeyUpdates without application data between them; BoringSSL takes 32.
  std::uint16_t key_updates = 32;
  /// Octets of early data that are skipped when it was declined (RFC 8446 section 4.2.10), record payloads
  /// counted.
  std::uint32_t skipped_early_data_bytes = 16384;
  /// Records under one key before we update it. RFC 8446 section 5.5: 2^24.5 full records for AES-GCM;
  /// ChaCha20 has no such limit and shares the number.
  std::uint64_t records_per_key = 23726566;
};

}  // namespace signet::tls
