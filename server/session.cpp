#include <ctime>
#include <new>

#include <signet/http/date.hpp>
#include <signet/http/parser.hpp>
#include <signet/server/session.hpp>

namespace signet::server {
namespace {

// A cell with less room than this is sealed before an answer is begun in it.
constexpr std::size_t least_answer_room = 1024;
// Octets of a body that are asked for at once.
constexpr std::size_t body_piece_bytes = 64 * 1024;

constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::string_view protocols[] = {"http/1.1"};

/// What is known of a request that is not whole yet; lies in the channel's Scratch.
struct Reading {
  bool begun = false;
  bool continued = false;   // 100 Continue was said
  std::uint32_t seen = 0;   // octets that were there at the last look
  std::uint64_t total = 0;  // octets of head and body; 0 until the head is whole
  http::Parser parser;
};
static_assert(sizeof(Reading) <= Scratch::bytes && std::is_trivially_copyable_v<Reading>);

/// A request and its answer.
struct Exchange {
  Exchange(base::Region& in, const http::RequestHead& head, base::MutBytes body, std::size_t request_bytes,
           base::SendBuffer& out, const http::ResponseFacts& facts) noexcept
      : region(&in), bytes(request_bytes), request(head, body, in), response(out, in, facts) {}

  base::Region* region;
  std::size_t bytes;  // of the request, still in the input; 0 when they are consumed
  http::Request request;
  http::Response response;
};

enum class Look : std::uint8_t {
  more,   ///< the request is not whole
  begun,  ///< an exchange was made
  later,  ///< no room for an answer now, or the channel closes
};

const HttpService& shared(Channel& channel) noexcept {
  return *static_cast<const HttpService*>(channel.context());
}
Exchange* exchange_of(Channel& channel) noexcept { return static_cast<Exchange*>(channel.app); }

/// The Date field's value, made anew once a second.
std::string_view date_now(Ticks now) noexcept {
  struct Cached {
    Ticks made = 0;
    bool valid = false;
    char text[http::date_bytes];
  };
  thread_local Cached cached;
  if (!cached.valid || now - cached.made >= 1000) {
    http::format_date(cached.text, std::time(nullptr));
    cached.made = now;
    cached.valid = true;
  }
  return {cached.text, http::date_bytes};
}

Reading& reading_of(Channel& channel) noexcept {
  auto* reading = std::launder(reinterpret_cast<Reading*>(channel.scratch().octets));
  if (reading->begun) return *reading;
  reading = new (reading) Reading;
  reading->begun = true;
  return *reading;
}

void consume_request(Channel& channel, Exchange& exchange) noexcept {
  reading_of(channel).begun = false;
  channel.unpin();
  channel.consume(exchange.bytes);
  exchange.bytes = 0;
}

void destroy(Exchange& exchange) noexcept {
  base::Region* region = exchange.region;
  exchange.~Exchange();
  region->close();
}

/// Answers what cannot be served, and closes.
Look refuse(Channel& channel, const http::Refusal& refusal) noexcept {
  channel.expect(Expect::nothing);
  base::SendBuffer* out = channel.output(least_answer_room);
  if (out == nullptr) return Look::later;  // comes to the same end when there is room
  const std::string_view date = date_now(channel.now());
  if (const std::size_t n = http::write_refusal(out->window(), refusal.status, refusal.text, date)) {
    out->wrote(n);
  } else {  // the peer takes no record of that size: several, sealed from here
    std::uint8_t octets[least_answer_room];
    const std::size_t all = http::write_refusal(octets, refusal.status, refusal.text, date);
    (void)channel.write_from(base::Bytes(octets, all));
  }
  channel.close();
  return Look::later;
}

void say_continue(Channel& channel, Reading& reading) noexcept {
  base::SendBuffer* out = channel.output(continue_line.size());
  if (out == nullptr) return;  // a client that got no word sends its body all the same
  std::memcpy(out->window().data(), continue_line.data(), continue_line.size());
  out->wrote(continue_line.size());
  reading.continued = true;
}

/// The head is whole, the body is not.
Look await_body(Channel& channel, Reading& reading, const http::RequestHead& head) noexcept {
  reading.total = reading.parser.head_bytes() + head.content_length;
  if (reading.total > base::RecvBuffer::capacity)
    return refuse(channel, {http::status::payload_too_large, "the request is longer than a receive buffer"});
  if (head.expects_continue && !reading.continued) say_continue(channel, reading);
  return Look::more;
}

http::ResponseFacts facts_for(Channel& channel, const http::RequestHead& head) noexcept {
  return {.version = head.version,
          .head_only = head.method == http::verb::head,
          .keep_alive = head.keep_alive && !channel.draining(),
          .date = date_now(channel.now())};
}

/// Calls the handler. The answer is complete then, though not all of it may be in cells.
Look serve_request(Channel& channel, base::Region& region, base::SendBuffer& out,
                   const http::RequestHead& head, std::size_t head_bytes) noexcept {
  const auto body_bytes = static_cast<std::size_t>(head.content_length);
  const base::MutBytes body = channel.plaintext().subspan(head_bytes, body_bytes);
  auto* exchange =
      region.make<Exchange>(region, head, body, head_bytes + body_bytes, out, facts_for(channel, head));
  if (exchange == nullptr) {
    region.close();
    return refuse(channel, {http::status::service_unavailable, "no memory for the request"});
  }
  channel.counters().requests++;
  channel.expect(Expect::nothing);
  channel.app = exchange;
  channel.pin();
  (void)shared(channel).dispatcher->dispatch(exchange->request, exchange->response);
  if (body_bytes == 0) consume_request(channel, *exchange);  // no answer can refer to it
  return Look::begun;
}

/// The head is whole; is the request?
Look look_at_request(Channel& channel, Reading& reading) noexcept {
  base::SendBuffer* out = channel.output(least_answer_room);
  if (out == nullptr) return channel.expect(Expect::nothing), Look::later;
  base::Region* region = base::Region::open();
  if (region == nullptr)
    return refuse(channel, {http::status::service_unavailable, "no memory for the request"});
  http::RequestHead head;
  const auto state = reading.parser.parse(channel.plaintext(), shared(channel).limits, *region, head);
  const std::size_t head_bytes = state == http::Parser::State::complete ? reading.parser.head_bytes() : 0;
  if (state == http::Parser::State::complete &&
      channel.plaintext().size() - head_bytes >= head.content_length)
    return serve_request(channel, *region, *out, head, head_bytes);
  const Look answer = state == http::Parser::State::refused ? refuse(channel, reading.parser.refusal())
                                                            : await_body(channel, reading, head);
  region->close();
  return answer;
}

Look look(Channel& channel) noexcept {
  if (channel.plaintext().empty()) return Look::more;
  Reading& reading = reading_of(channel);
  if (channel.plaintext().size() < reading.total) return Look::more;
  switch (reading.parser.scan(channel.plaintext(), shared(channel).limits)) {
    case http::Parser::State::more:
      return Look::more;
    case http::Parser::State::refused:
      return refuse(channel, reading.parser.refusal());
    case http::Parser::State::complete:
      return look_at_request(channel, reading);
  }
  return Look::later;
}

/// Nothing more to read now: what the peer owes, and by when.
void await(Channel& channel) noexcept {
  if (channel.closing()) return;
  if (channel.plaintext().empty()) return channel.expect(Expect::idle);
  Reading& reading = reading_of(channel);
  const bool has_head = reading.total != 0;
  if (channel.input_full()) {
    (void)refuse(channel,
                 has_head
                     ? http::Refusal{http::status::payload_too_large, "the request does not fit"}
                     : http::Refusal{http::status::request_header_fields_too_large, "the head does not fit"});
    return;
  }
  if (channel.input_over()) return channel.close();
  const auto seen = static_cast<std::uint32_t>(channel.plaintext().size());
  if (has_head && seen != reading.seen) {
    channel.expect_anew(Expect::body);
  } else if (!has_head) {
    channel.expect(reading.parser.idle() ? Expect::idle : Expect::header);
  }
  reading.seen = seen;
}

/// Reads until a request is whole and its handler was called; false when the service is to return.
bool next_request(Channel& channel) noexcept {
  for (;;) {
    const Look found = look(channel);
    if (found != Look::more) return found == Look::begun;
    if (!channel.read()) return await(channel), false;
  }
}

bool write_head(Channel& channel, http::Response& response) noexcept {
  std::size_t least = 1;
  while (!response.head_written()) {
    base::SendBuffer* out = channel.output(least);
    if (out == nullptr) return false;
    const std::size_t n = response.write_head(out->window());
    if (n == 0 && out->empty()) return channel.end(Cause::no_memory), false;
    out->wrote(n);
    least = n == 0 ? out->record_room().max_plaintext : 1;  // 0: only a fresh cell will do
  }
  return true;
}

bool write_body(Channel& channel, http::Response& response) noexcept {
  while (response.remaining() > 0) {
    const base::Bytes piece = response.next(body_piece_bytes);
    if (piece.empty()) return channel.end(Cause::body_failed), false;
    const std::size_t n = channel.write_from(piece);
    response.took(n);
    if (n < piece.size()) return false;
  }
  return true;
}

/// Writes what is left of the answer; true when all of it is in cells, and the exchange is over.
bool finish_exchange(Channel& channel) noexcept {
  Exchange& exchange = *exchange_of(channel);
  if (!write_head(channel, exchange.response) || !write_body(channel, exchange.response)) return false;
  const bool keeps = exchange.response.keep_alive();
  if (exchange.bytes != 0) consume_request(channel, exchange);
  channel.app = nullptr;
  destroy(exchange);
  if (!keeps) channel.close();
  return keeps;
}

void answer_late(Channel& channel) noexcept {
  if (channel.app != nullptr) return;  // an answer is under way
  (void)refuse(channel, {http::status::request_timeout, channel.expired() == Expect::header
                                                            ? "the request head took too long"
                                                            : "the request body took too long"});
}

}  // namespace

void serve_http(Channel& channel) noexcept {
  if (channel.expired() != Expect::nothing) return answer_late(channel);
  for (;;) {
    if (channel.app != nullptr && !finish_exchange(channel)) return;
    if (!next_request(channel)) return;
  }
}

void end_http(Channel& channel) noexcept {
  destroy(*exchange_of(channel));
  channel.app = nullptr;
}

Service http_service(const HttpService& http) noexcept {
  return {.serve = serve_http, .end = end_http, .context = &http, .protocols = protocols};
}

}  // namespace signet::server
