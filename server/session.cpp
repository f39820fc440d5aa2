#include <new>

#include <signet/http/parser.hpp>
#include <signet/server/access_log.hpp>
#include <signet/server/exchange.hpp>
#include <signet/server/session.hpp>

namespace signet::server {
namespace {

constexpr std::size_t refusal_room = 1024;
// curl --http1.0 offers the second one alone.
constexpr std::string_view protocols[] = {"http/1.1", "http/1.0"};

/// What is known of a head that is not whole yet; lies in the channel's Scratch, which is zero at first.
struct Reading {
  bool begun = false;
  http::Parser parser;
};
static_assert(sizeof(Reading) <= Scratch::bytes && std::is_trivially_copyable_v<Reading>);

Exchange* exchange_of(Channel& channel) noexcept { return static_cast<Exchange*>(channel.app); }

Reading& reading_of(Channel& channel) noexcept {
  auto* reading = std::launder(reinterpret_cast<Reading*>(channel.scratch().octets));
  if (reading->begun) return *reading;
  reading = new (reading) Reading;
  reading->begun = true;
  return *reading;
}

/// Answers a head that cannot be served, and closes.
void refuse(Channel& channel, const http::Refusal& refusal) noexcept {
  channel.expect(Expect::nothing);
  base::SendBuffer* out = channel.output(refusal_room);
  if (out == nullptr) return;  // comes to the same end when there is room
  const std::string_view date = sending_facts(channel).date;
  if (const std::size_t n = http::write_refusal(out->window(), refusal.status, refusal.text, date)) {
    out->wrote(n);
  } else {  // the peer takes no record of that size: several, sealed from here
    std::uint8_t octets[refusal_room];
    const std::size_t all = http::write_refusal(octets, refusal.status, refusal.text, date);
    (void)channel.write_from(base::Bytes(octets, all));
  }
  log_refusal(channel, refusal.status);
  channel.close();
}

/// The scan found the head's end; true when an exchange began.
bool begin(Channel& channel, http::Parser& parser) noexcept {
  constexpr http::Refusal no_memory{http::status::service_unavailable, "no memory for the request"};
  base::Region* region = base::Region::open();
  if (region == nullptr) return refuse(channel, no_memory), false;
  http::RequestHead head;
  if (parser.parse(channel.plaintext(), service_of(channel).limits, *region, head) ==
      http::Parser::State::complete) {
    if (begin_exchange(channel, *region, head, parser.head_bytes())) return true;
    refuse(channel, no_memory);
  } else {
    refuse(channel, parser.refusal());
  }
  region->close();
  return false;
}

/// No whole head is there: what the peer owes, and by when.
void await_head(Channel& channel) noexcept {
  if (channel.closing()) return;
  if (channel.plaintext().empty()) return channel.expect(Expect::idle);
  if (channel.input_full())
    return refuse(channel, {http::status::request_header_fields_too_large, "the head does not fit"});
  if (channel.input_over()) return channel.close();
  channel.expect(reading_of(channel).parser.idle() ? Expect::idle : Expect::header);
}

/// Reads until a head is whole; false when the service is to return.
bool next_request(Channel& channel) noexcept {
  for (;;) {
    if (!channel.plaintext().empty()) {
      http::Parser& parser = reading_of(channel).parser;
      switch (parser.scan(channel.plaintext(), service_of(channel).limits)) {
        case http::Parser::State::complete:
          return begin(channel, parser);
        case http::Parser::State::refused:
          return refuse(channel, parser.refusal()), false;
        case http::Parser::State::more:
          break;
      }
    }
    if (!channel.read()) return await_head(channel), false;
  }
}

/// The peer let the timer of a head or of a body run out.
void answer_late_peer(Channel& channel) noexcept {
  Exchange* exchange = exchange_of(channel);
  if (exchange == nullptr)
    return refuse(channel, {http::status::request_timeout, "the request head took too long"});
  answer_error(channel, *exchange, http::status::request_timeout, "the request body took too long");
  (void)advance(channel, *exchange);
}

void serve_http(Channel& channel) noexcept {
  if (channel.expired() != Expect::nothing) return answer_late_peer(channel);
  do {
    if (channel.app == nullptr && !next_request(channel)) return;
  } while (advance(channel, *exchange_of(channel)));
  const Exchange* left = exchange_of(channel);
  if (left != nullptr && left->awaited.exchange() != 0) channel.set_awaited(left->awaited.exchange());
}

bool deliver_http(Channel& channel, base::Posted& message) noexcept {
  Exchange& exchange = *exchange_of(channel);
  if (message.answers) return take_answer(channel, exchange, static_cast<http::Late&>(message));
  message.drop(message);
  go_on(channel, exchange);
  return true;
}

void end_http(Channel& channel) noexcept { destroy(channel, *exchange_of(channel)); }

}  // namespace

Service http_service(const HttpService& http) noexcept {
  return {.serve = serve_http,
          .end = end_http,
          .deliver = deliver_http,
          .context = &http,
          .protocols = protocols};
}

}  // namespace signet::server
