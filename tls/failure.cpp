#include <array>

#include <signet/tls/failure.hpp>

namespace signet::tls {
namespace {

struct Row {
  std::string_view name;
  Alert alert;
  std::string_view text;
};

constexpr std::array rows = {
#define SIGNET_TLS_REASON(name, alert, text) Row{#name, Alert::alert, text},
    SIGNET_TLS_REASONS(SIGNET_TLS_REASON)
#undef SIGNET_TLS_REASON
};

const Row& row_of(Reason reason) noexcept { return rows[static_cast<std::size_t>(reason)]; }

}  // namespace

Failure::Failure(Reason why) noexcept : alert(row_of(why).alert), reason(why) {}

std::string_view name_of(Reason reason) noexcept { return row_of(reason).name; }
std::string_view text_of(Reason reason) noexcept { return row_of(reason).text; }

std::string_view name_of(Alert alert) noexcept {
  switch (alert) {
    case Alert::close_notify:
      return "close_notify";
    case Alert::unexpected_message:
      return "unexpected_message";
    case Alert::bad_record_mac:
      return "bad_record_mac";
    case Alert::record_overflow:
      return "record_overflow";
    case Alert::handshake_failure:
      return "handshake_failure";
    case Alert::bad_certificate:
      return "bad_certificate";
    case Alert::unsupported_certificate:
      return "unsupported_certificate";
    case Alert::certificate_revoked:
      return "certificate_revoked";
    case Alert::certificate_expired:
      return "certificate_expired";
    case Alert::certificate_unknown:
      return "certificate_unknown";
    case Alert::illegal_parameter:
      return "illegal_parameter";
    case Alert::unknown_ca:
      return "unknown_ca";
    case Alert::access_denied:
      return "access_denied";
    case Alert::decode_error:
      return "decode_error";
    case Alert::decrypt_error:
      return "decrypt_error";
    case Alert::protocol_version:
      return "protocol_version";
    case Alert::insufficient_security:
      return "insufficient_security";
    case Alert::internal_error:
      return "internal_error";
    case Alert::inappropriate_fallback:
      return "inappropriate_fallback";
    case Alert::user_canceled:
      return "user_canceled";
    case Alert::missing_extension:
      return "missing_extension";
    case Alert::unsupported_extension:
      return "unsupported_extension";
    case Alert::unrecognized_name:
      return "unrecognized_name";
    case Alert::bad_certificate_status_response:
      return "bad_certificate_status_response";
    case Alert::unknown_psk_identity:
      return "unknown_psk_identity";
    case Alert::certificate_required:
      return "certificate_required";
    case Alert::no_application_protocol:
      return "no_application_protocol";
  }
  return "unknown";
}

}  // namespace signet::tls
