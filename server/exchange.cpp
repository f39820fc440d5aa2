#include <algorithm>
#include <memory>

#include <signet/server/access_log.hpp>
#include <signet/server/channel.hpp>
#include <signet/server/exchange.hpp>
#include <signet/server/http_service.hpp>

namespace signet::server {
namespace {

using http::status;
using Stage = Exchange::Stage;

// A cell with less room than this is sealed before an answer is begun in it.
constexpr std::size_t least_answer_room = 1024;
// Octets of a body that are asked for at once.
constexpr std::size_t body_piece_bytes = 64 * 1024;

/// Another server's requests are not answered with this one's certificate (RFC 9110 section 7.4).
bool misdirected(Channel& channel, const http::RequestHead& head) noexcept {
  return service_of(channel).checks_host && !head.host.empty() && !channel.is_for(head.host);
}

/// Finds out who answers; true when the answer is made already.
bool begin_dispatch(Channel& channel, Exchange& exchange) noexcept {
  const http::Dispatcher& dispatcher = *service_of(channel).dispatcher;
  if (dispatcher.logs_access()) begin_access(exchange);
  if (misdirected(channel, exchange.request.head())) {
    exchange.response.text(status::misdirected_request,
                           "the certificate of this server does not cover the host of the request\n");
    return true;
  }
  const auto begun = dispatcher.begin(exchange.request, exchange.response);
  exchange.route = begun.route;
  return begun.next == http::Dispatcher::Begun::Next::answered;
}

/// Where a body is not read, the connection ends behind the answer; one that is there already is passed over.
void pass_over_body(Channel& channel, Exchange& exchange, std::size_t head_bytes) noexcept {
  const http::RequestHead& head = exchange.request.head();
  exchange.stage = Stage::made;
  exchange.input_bytes = head_bytes;
  if (!head.chunked && head.content_length <= channel.plaintext().size() - head_bytes) {
    exchange.input_bytes += static_cast<std::size_t>(head.content_length);
  } else {
    exchange.response.close();
  }
}

/// The usual case: all of the request is there.
bool is_whole(Channel& channel, const Exchange& exchange, std::size_t head_bytes) noexcept {
  const http::RequestHead& head = exchange.request.head();
  return !exchange.route->upload && !head.chunked &&
         head.content_length <= channel.plaintext().size() - head_bytes &&
         head.content_length <= longest_body(service_of(channel), *exchange.route);
}

/// Nothing refers to the request's octets and its body any more.
void let_go(Channel& channel, Exchange& exchange) noexcept {
  // An error may be the answer before the body is whole.
  const std::size_t there = std::min(exchange.input_bytes, channel.plaintext().size());
  if (there != 0) consume_request(channel, there);
  exchange.input_bytes = 0;
  exchange.request.set_body({});
  if (exchange.incoming != nullptr) exchange.incoming->buffer.clear();
}

bool keeps_body(const Exchange& exchange) noexcept {
  return exchange.incoming != nullptr && exchange.incoming->buffer.size() != 0;
}

/// As let_go(), as soon as the answer's head is written, unless the answer refers to the body.
void let_go_early(Channel& channel, Exchange& exchange) noexcept {
  if (exchange.answer().refers_to(exchange.request.body())) {
    if (keeps_body(exchange)) channel.note_body(exchange.incoming->buffer);
    return;
  }
  // The fault of a body that fails later is told with the request's head.
  const bool wants_head = exchange.late == nullptr && exchange.answer().body_may_fail();
  if (exchange.input_bytes == 0 || !wants_head || exchange.request.keep_head()) let_go(channel, exchange);
}

/// The answer is written to `out`.
void attach(Channel& channel, http::Response& answer, base::SendBuffer& out) noexcept {
  if (channel.draining()) answer.close();
  answer.attach(out, sending_facts(channel));
}

/// The answer is what was made of it: its head goes into the cell.
void finish(Channel& channel, Exchange& exchange) noexcept {
  service_of(channel).dispatcher->finish(exchange.route, exchange.question(), exchange.answer());
  exchange.stage = Stage::sending;
  let_go_early(channel, exchange);
}

/// Calls the handler; false when there is no buffer for its answer now.
bool call_handler(Channel& channel, Exchange& exchange) noexcept {
  base::SendBuffer* out = channel.output(least_answer_room);
  if (out == nullptr) return false;
  attach(channel, exchange.response, *out);
  service_of(channel).dispatcher->call(*exchange.route, exchange.request, exchange.response);
  if (exchange.request.is_late()) {
    exchange.response.discard();
    exchange.stage = Stage::awaited;
    let_go(channel, exchange);
  } else {
    finish(channel, exchange);  // in the cell that it was begun in
  }
  return true;
}

/// An answer that was made away from any cell goes into one.
bool finish_made(Channel& channel, Exchange& exchange) noexcept {
  base::SendBuffer* out = channel.output(least_answer_room);
  if (out == nullptr) return false;
  attach(channel, exchange.answer(), *out);
  finish(channel, exchange);
  return true;
}

bool write_head(Channel& channel, http::Response& answer) noexcept {
  std::size_t least = 1;
  while (!answer.head_written()) {
    base::SendBuffer* out = channel.output(least);
    if (out == nullptr) return false;
    const std::optional<std::size_t> n = answer.write_head(*out);
    if (!n) {
      channel.end(Cause::no_memory);
      return false;
    }
    least = *n == 0 ? out->record_room().max_plaintext : 1;  // 0: only a fresh cell will do
  }
  return true;
}

/// The body gave nothing: true when that is because it is over.
bool on_pause(Channel& channel, Exchange& exchange) noexcept {
  http::Response& answer = exchange.answer();
  if (answer.remaining() == 0) return true;
  if (answer.waits()) {
    channel.hold_input(true);
    return false;
  }
  service_of(channel).dispatcher->report(exchange.question(), answer.body_fault());
  channel.end(Cause::body_failed);
  return false;
}

bool write_body(Channel& channel, Exchange& exchange) noexcept {
  http::Response& answer = exchange.answer();
  while (answer.remaining() > 0) {
    const base::Bytes piece = answer.next(body_piece_bytes);
    if (piece.empty()) return on_pause(channel, exchange);
    const std::size_t n = channel.write_from(piece);
    answer.took(n);
    if (n != 0 && keeps_body(exchange)) channel.note_body(exchange.incoming->buffer);
    if (n < piece.size()) return false;
  }
  return true;
}

void remove(Channel& channel, Exchange& exchange) noexcept {
  channel.app = nullptr;
  channel.hold_input(false);
  if (exchange.awaited.exchange() != 0) channel.set_awaited(0);
  if (exchange.incoming != nullptr) std::destroy_at(exchange.incoming);
  if (exchange.late != nullptr) exchange.late->close();
  base::Region* region = exchange.region;
  std::destroy_at(&exchange);
  region->close();
}

/// Writes what is left of the answer; true when all of it is in cells, and the connection goes on.
bool send_answer(Channel& channel, Exchange& exchange) noexcept {
  const bool head_done = write_head(channel, exchange.answer());
  if (head_done && !exchange.answered) note_first_octet(channel, exchange);
  if (!head_done || !write_body(channel, exchange)) return false;
  const bool keeps = exchange.answer().keep_alive();
  let_go(channel, exchange);
  log_access(channel, exchange, true);
  remove(channel, exchange);
  if (!keeps) channel.close();
  return keeps;
}

/// What the peer owes now.
void await_body(Channel& channel, Exchange& exchange) noexcept {
  if (channel.closing()) return;
  if (channel.input_full())
    return answer_error(channel, exchange, status::payload_too_large, "the request does not fit");
  if (channel.input_over()) return channel.end(Cause::truncated);
  const auto seen = static_cast<std::uint32_t>(channel.plaintext().size() +
                                               (exchange.incoming == nullptr ? 0 : exchange.incoming->total));
  if (seen != exchange.last_seen || exchange.last_seen == 0) channel.expect_anew(Expect::body);
  exchange.last_seen = seen;
}

/// Takes the body; true when the next step can be taken.
bool receive(Channel& channel, Exchange& exchange) noexcept {
  switch (receive_body(channel, exchange)) {
    case Receiving::whole:
      channel.expect(Expect::nothing);
      return true;
    case Receiving::waiting:
      channel.expect(Expect::nothing);
      if (exchange.incoming != nullptr && exchange.incoming->paused) channel.hold_input(true);
      return false;
    case Receiving::more:
      await_body(channel, exchange);
      return exchange.stage != Stage::receiving && !channel.closing();
  }
  return false;
}

}  // namespace

Exchange::Exchange(base::Region& in, const http::RequestHead& head, http::Awaiting& worker,
                   std::uint32_t session) noexcept
    : region(&in),
      awaited(worker, session),
      request(head, in, awaited),
      response(in, http::ResponseFacts::of(head), awaited) {}

bool begin_exchange(Channel& channel, base::Region& region, const http::RequestHead& head,
                    std::size_t head_bytes) noexcept {
  auto* exchange = region.make<Exchange>(region, head, channel.awaiting(), channel.index());
  if (exchange == nullptr) return false;
  channel.app = exchange;
  channel.counters().requests++;
  channel.expect(Expect::nothing);
  channel.pin();
  if (begin_dispatch(channel, *exchange)) {
    pass_over_body(channel, *exchange, head_bytes);
    if (exchange->request.is_late()) exchange->stage = Stage::awaited;
  } else if (is_whole(channel, *exchange, head_bytes)) {
    const auto body = static_cast<std::size_t>(head.content_length);
    exchange->input_bytes = head_bytes + body;
    exchange->request.set_body(channel.plaintext().subspan(head_bytes, body));
    exchange->stage = Stage::ready;
  } else {
    expect_body(channel, *exchange, head_bytes);
  }
  return true;
}

bool advance(Channel& channel, Exchange& exchange) noexcept {
  for (;;) {
    switch (exchange.stage) {
      case Stage::receiving:
        if (!receive(channel, exchange)) return false;
        break;
      case Stage::ready:
        if (!call_handler(channel, exchange)) return false;
        break;
      case Stage::awaited:
        channel.hold_input(true);
        return false;
      case Stage::made:
        if (!finish_made(channel, exchange)) return false;
        break;
      case Stage::sending:
        return send_answer(channel, exchange);
    }
  }
}

void answer_error(Channel& channel, Exchange& exchange, http::status code, std::string_view text) noexcept {
  channel.expect(Expect::nothing);
  if (exchange.incoming != nullptr) exchange.incoming->buffer.clear();
  exchange.response.reset_to_error(code, text);
  exchange.response.close();
  exchange.stage = Stage::made;
}

bool take_answer(Channel& channel, Exchange& exchange, http::Late& late) noexcept {
  const bool receiving = exchange.stage == Stage::receiving;
  if ((exchange.stage != Stage::awaited && !receiving) || exchange.late != nullptr) return false;
  exchange.late = &late;
  // Behind a body that is not read the connection ends, whoever answers.
  if (receiving || !exchange.response.keep_alive()) late.response().close();
  exchange.stage = Stage::made;
  channel.expect(Expect::nothing);
  go_on(channel, exchange);
  return true;
}

void go_on(Channel& channel, Exchange& exchange) noexcept {
  if (exchange.incoming != nullptr) exchange.incoming->paused = false;
  channel.hold_input(false);
  channel.resume();
}

void destroy(Channel& channel, Exchange& exchange) noexcept {
  log_access(channel, exchange, false);
  remove(channel, exchange);
}

}  // namespace signet::server
