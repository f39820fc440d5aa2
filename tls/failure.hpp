// Why a connection fails: the alert that the peer gets and the precise reason, chosen where the fault is
// found.
#pragma once

#include <cstdint>
#include <string_view>

namespace signet::tls {

/// RFC 8446 section 6.
enum class Alert : std::uint8_t {
  close_notify = 0,
  unexpected_message = 10,
  bad_record_mac = 20,
  record_overflow = 22,
  handshake_failure = 40,
  bad_certificate = 42,
  unsupported_certificate = 43,
  certificate_revoked = 44,
  certificate_expired = 45,
  certificate_unknown = 46,
  illegal_parameter = 47,
  unknown_ca = 48,
  access_denied = 49,
  decode_error = 50,
  decrypt_error = 51,
  protocol_version = 70,
  insufficient_security = 71,
  internal_error = 80,
  inappropriate_fallback = 86,
  user_canceled = 90,
  missing_extension = 109,
  unsupported_extension = 110,
  unrecognized_name = 112,
  bad_certificate_status_response = 113,
  unknown_psk_identity = 115,
  certificate_required = 116,
  no_application_protocol = 120,
};

/// One line a fault: name, alert, text with the section that says so. Both tables below are made from it.
#define SIGNET_TLS_REASONS(R)                                                                                \
  R(none, close_notify, "no failure")                                                                        \
  /* records */                                                                                              \
  R(record_type_unknown, unexpected_message, "unknown record type (RFC 8446 section 5)")                     \
  R(record_type_unexpected, unexpected_message, "record type that is not allowed now (RFC 8446 section 5)")  \
  R(record_too_long, record_overflow, "record over its limit (RFC 8446 section 5.1, 5.2; RFC 8449)")         \
  R(record_empty_handshake, unexpected_message, "handshake record without content (RFC 8446 section 5.1)")   \
  R(record_empty_alert, unexpected_message, "alert record without content (RFC 8446 section 5.1)")           \
  R(record_bad_mac, bad_record_mac, "record that does not authenticate (RFC 8446 section 5.2)")              \
  R(record_no_inner_type, unexpected_message, "record of padding alone (RFC 8446 section 5.4)")              \
  R(record_too_short, bad_record_mac, "protected record without room for its tag (RFC 8446 section 5.2)")    \
  R(record_not_tls, protocol_version, "not a TLS record")                                                    \
  R(plain_http_request, protocol_version, "plain HTTP on the TLS port")                                      \
  R(too_many_empty_records, unexpected_message, "too many empty records in a row")                           \
  R(change_cipher_spec_malformed, unexpected_message, "malformed change_cipher_spec (RFC 8446 section 5)")   \
  R(change_cipher_spec_unexpected, unexpected_message,                                                       \
    "change_cipher_spec after the handshake (RFC 8446 section 5)")                                           \
  R(too_many_change_cipher_specs, unexpected_message, "too many change_cipher_spec records")                 \
  R(too_many_warning_alerts, unexpected_message, "too many warning alerts in a row")                         \
  R(too_much_early_data, unexpected_message, "more early data than is skipped (RFC 8446 section 4.2.10)")    \
  R(alert_malformed, decode_error, "malformed alert (RFC 8446 section 6)")                                   \
  /* handshake messages */                                                                                   \
  R(message_unexpected, unexpected_message,                                                                  \
    "handshake message that is not allowed now (RFC 8446 section 4)")                                        \
  R(message_type_unknown, unexpected_message, "unknown handshake message (RFC 8446 section 4)")              \
  R(message_too_long, illegal_parameter, "handshake message over its limit")                                 \
  R(message_malformed, decode_error, "handshake message that does not parse")                                \
  R(message_trailing_octets, decode_error, "octets behind the end of a handshake message's fields")          \
  R(message_spans_key_change, unexpected_message,                                                            \
    "data behind a message that changes keys (RFC 8446 section 5.1)")                                        \
  R(message_interleaved, unexpected_message,                                                                 \
    "another record type within a handshake message (RFC 8446 section 5.1)")                                 \
  R(extension_duplicate, illegal_parameter, "the same extension twice (RFC 8446 section 4.2)")               \
  R(extension_malformed, decode_error, "extension that does not parse")                                      \
  R(extension_not_allowed_here, illegal_parameter,                                                           \
    "extension in a message that may not carry it (RFC 8446 section 4.2)")                                   \
  R(psk_not_last, illegal_parameter, "pre_shared_key is not the last extension (RFC 8446 section 4.2.11)")   \
  R(psk_modes_missing, missing_extension,                                                                    \
    "pre_shared_key without psk_key_exchange_modes (RFC 8446 section 4.2.9)")                                \
  R(psk_identities_and_binders_differ, illegal_parameter,                                                    \
    "not one binder for each identity (RFC 8446 section 4.2.11)")                                            \
  R(early_data_without_psk, illegal_parameter,                                                               \
    "early_data without pre_shared_key (RFC 8446 section 4.2.10)")                                           \
  R(early_data_after_retry, illegal_parameter,                                                               \
    "early_data in a second ClientHello (RFC 8446 section 4.1.2)")                                           \
  /* ClientHello */                                                                                          \
  R(version_not_offered, protocol_version, "the client does not offer TLS 1.3")                              \
  R(legacy_version_wrong, protocol_version, "legacy_version is SSL 3.0 or older (RFC 8446 section D.5)")     \
  R(compression_offered, illegal_parameter, "compression offered (RFC 8446 section 4.1.2)")                  \
  R(no_common_suite, handshake_failure, "no cipher suite in common")                                         \
  R(no_common_group, handshake_failure, "no group in common")                                                \
  R(no_common_signature, handshake_failure, "no signature algorithm in common")                              \
  R(signature_algorithms_missing, missing_extension,                                                         \
    "signature_algorithms is missing (RFC 8446 section 9.2)")                                                \
  R(supported_groups_missing, missing_extension, "supported_groups is missing (RFC 8446 section 9.2)")       \
  R(key_share_missing, missing_extension, "key_share is missing (RFC 8446 section 9.2)")                     \
  R(key_share_not_in_groups, illegal_parameter,                                                              \
    "key share of a group that was not offered (RFC 8446 section 4.2.8)")                                    \
  R(key_share_duplicate, illegal_parameter, "two key shares of one group (RFC 8446 section 4.2.8)")          \
  R(key_share_length_wrong, illegal_parameter, "key share of the wrong length (RFC 8446 section 4.2.8.2)")   \
  R(key_share_invalid_point, illegal_parameter, "key share that is no point (RFC 8446 section 4.2.8.2)")     \
  R(key_share_all_zero, illegal_parameter, "all-zero shared secret (RFC 8446 section 7.4.2)")                \
  R(no_common_protocol, no_application_protocol, "no application protocol in common (RFC 7301 section 3.2)") \
  R(alpn_empty_name, decode_error, "empty protocol name (RFC 7301 section 3.1)")                             \
  R(record_size_limit_too_small, illegal_parameter, "record_size_limit under 64 (RFC 8449 section 4)")       \
  /* second ClientHello */                                                                                   \
  R(retry_hello_changed, illegal_parameter,                                                                  \
    "second ClientHello differs where it may not (RFC 8446 section 4.1.2)")                                  \
  R(retry_key_share_wrong, illegal_parameter,                                                                \
    "second ClientHello without the share asked for (RFC 8446 section 4.2.8)")                               \
  R(retry_cookie_wrong, illegal_parameter, "cookie that was not sent (RFC 8446 section 4.2.2)")              \
  /* the rest of a handshake */                                                                              \
  R(finished_wrong, decrypt_error, "Finished does not verify (RFC 8446 section 4.4.4)")                      \
  R(finished_length_wrong, decode_error, "Finished of the wrong length (RFC 8446 section 4.4.4)")            \
  R(signing_failed, internal_error, "our own signature did not verify")                                      \
  R(send_buffer_full, internal_error, "no room for our own flight")                                          \
  /* ServerHello, for clients */                                                                             \
  R(server_compression_wrong, illegal_parameter, "the server chose a compression (RFC 8446 section 4.1.3)")  \
  /* after the handshake */                                                                                  \
  R(key_update_malformed, illegal_parameter, "KeyUpdate with an unknown request (RFC 8446 section 4.6.3)")   \
  R(too_many_key_updates, unexpected_message, "too many KeyUpdates in a row")                                \
  R(peer_alert, close_notify, "the peer sent a fatal alert")

enum class Reason : std::uint8_t {
#define SIGNET_TLS_REASON(name, alert, text) name,
  SIGNET_TLS_REASONS(SIGNET_TLS_REASON)
#undef SIGNET_TLS_REASON
};

/// An alert to send and the reason to log. `peer` is the alert that the peer sent, when the reason is
/// peer_alert.
struct Failure {
  Alert alert = Alert::close_notify;
  Reason reason = Reason::none;
  Alert peer = Alert::close_notify;

  Failure() noexcept = default;
  /// The alert that belongs to the reason.
  Failure(Reason why) noexcept;
  bool operator==(const Failure&) const noexcept = default;
};

/// "record_bad_mac", for logs and tests.
[[nodiscard]] std::string_view name_of(Reason reason) noexcept;
/// One sentence for a person, with the RFC section.
[[nodiscard]] std::string_view text_of(Reason reason) noexcept;
/// "bad_record_mac"; "unknown" for a number that RFC 8446 does not name.
[[nodiscard]] std::string_view name_of(Alert alert) noexcept;

}  // namespace signet::tls
