// What a worker says: a line for each connection that ended by a fault, and its report.
#include <spdlog/spdlog.h>

#include <signet/server/worker.hpp>

namespace signet::server {

void Worker::on_end(Channel& channel, Cause cause) noexcept {
  counters_.of(cause)++;
  dead_.push_back(channel);
  // A TLS failure was said when it was found.
  if (!is_fault(cause) || cause == Cause::tls_failure || !may_log()) return;
  char room[Address::text_bytes];
  spdlog::info("{}: {} ({})", channel.peer().text(room), text_of(cause), name_of(cause));
}

void Worker::on_tls_failure(Channel& channel, const tls::Failure& failure) noexcept {
  counters_.of(failure.reason)++;
  if (!may_log()) return;
  char room[Address::text_bytes];
  const std::string_view peer = channel.peer().text(room);
  if (failure.reason == tls::Reason::peer_alert) {
    spdlog::info("{}: {}: {}", peer, tls::text_of(failure.reason), tls::name_of(failure.peer));
  } else {
    spdlog::info("{}: {} ({}, answered by {})", peer, tls::text_of(failure.reason),
                 tls::name_of(failure.reason), tls::name_of(failure.alert));
  }
}

bool Worker::may_log() noexcept {
  const bool allowed = log_limit_.allows(now_);
  if (!allowed) counters_.lines_suppressed++;
  return allowed;
}

std::string Worker::report() const {
  const auto hot = [](std::string_view name, const auto& of) {
    return fmt::format(" {}={}/{}", name, of.hot_free(), of.hot_most());
  };
  const auto held = [](std::string_view name, const auto& of) {
    return fmt::format(" {}={}/{}", name, of.held_free(), of.held_most());
  };
  return fmt::format("worker {}: connections={}", index_, channels_.used()) +
         " free:" + hot("areas", areas_) + hot("receive", inputs_) + held("held", inputs_) +
         hot("send", outputs_) + held("held_send", outputs_) +
         fmt::format(" chunks_out={} keys_held={} | ", base::chunk_cache().out(), keys_.held()) +
         counters_.text();
}

void Worker::print_report() noexcept {
  const std::string line = report() + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace signet::server
