#include <signet/server/access_log.hpp>
#include <signet/server/channel.hpp>
#include <signet/server/http_service.hpp>
#include <signet/tls/extensions.hpp>

namespace signet::server {
namespace {

using Steady = std::chrono::steady_clock;

std::chrono::microseconds since(Exchange::Time begin, Exchange::Time end) noexcept {
  return std::chrono::duration_cast<std::chrono::microseconds>(end - begin);
}

void add_connection(http::AccessEntry& entry, const Channel& channel, std::span<char> room) noexcept {
  entry.peer = channel.peer().text(room.first<Address::text_bytes>());
  const tls::Connection* core = channel.core();
  if (core == nullptr) return;
  entry.tls_version = tls::name_of(tls::ProtocolVersion::tls13);
  entry.tls_suite = tls::name_of(core->suite());
  entry.tls_group = tls::name_of(core->group());
}

}  // namespace

void begin_access(Exchange& exchange) noexcept {
  exchange.began = Steady::now();
  (void)exchange.request.keep_head();  // without memory the entry has no request
}

void note_first_octet(Channel& channel, Exchange& exchange) noexcept {
  exchange.answered = true;
  if (service_of(channel).dispatcher->logs_access()) exchange.first_octet = Steady::now();
}

void log_access(Channel& channel, Exchange& exchange, bool complete) noexcept {
  const http::Dispatcher& dispatcher = *service_of(channel).dispatcher;
  if (!dispatcher.logs_access()) return;
  const auto end = Steady::now();
  http::AccessEntry entry;
  if (exchange.request.keeps_head()) {
    entry.request = &exchange.request;
    entry.method = exchange.request.method_string();
    entry.target = exchange.request.target();
  }
  entry.id = exchange.request.id();
  if (exchange.route != nullptr) entry.pattern = exchange.route->pattern;
  if (complete || exchange.answered) entry.status = static_cast<unsigned>(exchange.answer().status());
  entry.bytes = exchange.answer().body_bytes();
  entry.complete = complete;
  entry.first_byte = since(exchange.began, exchange.answered ? exchange.first_octet : end);
  entry.whole = since(exchange.began, end);
  char room[Address::text_bytes];
  add_connection(entry, channel, room);
  dispatcher.log_access(entry);
}

void log_refusal(Channel& channel, http::status code) noexcept {
  const http::Dispatcher& dispatcher = *service_of(channel).dispatcher;
  if (!dispatcher.logs_access()) return;
  http::AccessEntry entry;
  entry.status = static_cast<unsigned>(code);
  char room[Address::text_bytes];
  add_connection(entry, channel, room);
  dispatcher.log_access(entry);
}

}  // namespace signet::server
