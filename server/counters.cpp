#include <spdlog/fmt/fmt.h>

#include <signet/server/counters.hpp>

namespace signet::server {
namespace {

struct Row {
  std::string_view name;
  bool fault;
  std::string_view text;
};

constexpr std::array rows = {
#define SIGNET_END_CAUSE(name, fault, text) Row{#name, fault, text},
    SIGNET_END_CAUSES(SIGNET_END_CAUSE)
#undef SIGNET_END_CAUSE
};

const Row& row_of(Cause cause) noexcept { return rows[static_cast<std::size_t>(cause)]; }

}  // namespace

std::string_view name_of(Cause cause) noexcept { return row_of(cause).name; }
std::string_view text_of(Cause cause) noexcept { return row_of(cause).text; }
bool is_fault(Cause cause) noexcept { return row_of(cause).fault; }

void Counters::add(const Counters& other) noexcept {
  accepted += other.accepted;
  handed_over += other.handed_over;
  handshakes += other.handshakes;
  requests += other.requests;
  late_answers += other.late_answers;
  late_no_ops += other.late_no_ops;
  accept_pauses += other.accept_pauses;
  dropped += other.dropped;
  lines_suppressed += other.lines_suppressed;
  for (std::size_t i = 0; i < ended.size(); i++) ended[i] += other.ended[i];
  for (std::size_t i = 0; i < tls_failures.size(); i++) tls_failures[i] += other.tls_failures[i];
}

std::string Counters::text() const {
  std::string out = fmt::format(
      "accepted={} handed_over={} handshakes={} requests={} late_answers={} late_no_ops={} accept_pauses={} dropped={} lines_suppressed={}",
      accepted, handed_over, handshakes, requests, late_answers, late_no_ops, accept_pauses, dropped,
      lines_suppressed);
  for (std::size_t i = 0; i < ended.size(); i++)
    if (ended[i] != 0) out += fmt::format(" {}={}", rows[i].name, ended[i]);
  for (std::size_t i = 0; i < tls_failures.size(); i++)
    if (tls_failures[i] != 0)
      out += fmt::format(" tls_{}={}", tls::name_of(static_cast<tls::Reason>(i)), tls_failures[i]);
  return out;
}

}  // namespace signet::server
