#include <signet/http/trailers.hpp>
#include <signet/server/channel.hpp>
#include <signet/server/exchange.hpp>
#include <signet/server/http_service.hpp>
#include <signet/tls/record_layout.hpp>

namespace signet::server {
namespace {

using http::status;

constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";
// Room that a body in chunks gets at first; it doubles from there.
constexpr std::size_t first_room = 16 * 1024;

void answer_too_long(Channel& channel, Exchange& exchange) noexcept {
  answer_error(channel, exchange, status::payload_too_large, "the request body is too long");
}

void answer_no_room(Channel& channel, Exchange& exchange) noexcept {
  answer_error(channel, exchange, status::service_unavailable, "no memory for the request body now");
}

/// Asks for the body, when that is due; false when there is no buffer to ask with: the service is called
/// again.
bool say_continue(Channel& channel, Exchange& exchange) noexcept {
  if (!exchange.owes_continue) return true;
  base::SendBuffer* out = channel.output(continue_line.size());
  if (out == nullptr) return false;
  std::memcpy(out->window().data(), continue_line.data(), continue_line.size());
  out->wrote(continue_line.size());
  exchange.owes_continue = false;
  return true;
}

/// The body has its own way from here on; null, and the exchange is answered, when there is none.
Incoming* set_apart(Channel& channel, Exchange& exchange, std::size_t head_bytes) noexcept {
  auto* incoming = exchange.region->make<Incoming>(channel);
  if (incoming == nullptr || !exchange.request.keep_head()) {
    answer_no_room(channel, exchange);
    return nullptr;
  }
  exchange.incoming = incoming;
  exchange.input_bytes = 0;
  consume_request(channel, head_bytes);
  return incoming;
}

/// The receiver is done: with an answer, or with a promise of one.
void end_receiving(Exchange& exchange, bool whole) noexcept {
  if (!whole) exchange.response.close();
  exchange.stage = exchange.request.is_late() ? Exchange::Stage::awaited : Exchange::Stage::made;
}

/// Shows the receiver what is in front of the input.
void show(Channel& channel, Exchange& exchange, Incoming& in) noexcept {
  http::Upload piece(channel.plaintext().first(in.shown), in.whole, exchange.awaited);
  const auto& dispatcher = *service_of(channel).dispatcher;
  const bool raised = !dispatcher.receive(in.receiver, piece, exchange.request, exchange.response);
  const std::size_t taken = raised ? 0 : piece.taken();
  if (taken != 0) channel.consume(taken);
  in.shown -= taken;
  const bool all = in.whole && in.shown == 0;
  if (raised || piece.stopped() || all) {
    end_receiving(exchange, all);
  } else {
    in.paused = piece.waits();
  }
}

/// Room for `n` octets more; a body in chunks doubles its own.
bool grow(Channel& channel, Incoming& in, std::size_t n) noexcept {
  const std::size_t wanted = in.buffer.size() + n;
  if (wanted > in.buffer.capacity()) {
    const std::size_t doubled = std::max({wanted, first_room, 2 * in.buffer.capacity()});
    const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(in.most, SIZE_MAX / 2));
    if (!in.buffer.allocate(std::max(wanted, std::min(doubled, most)))) return false;
  }
  return channel.count_body(in.buffer, wanted);
}

void keep(Channel& channel, Exchange& exchange, Incoming& in, std::size_t n) noexcept {
  if (!grow(channel, in, n)) return answer_no_room(channel, exchange);
  if (n != 0) {
    in.buffer.append(channel.plaintext().first(n));
    channel.consume(n);
    channel.note_body(in.buffer);
  }
  if (!in.whole) return;
  in.buffer.unlink();  // what is whole does not give way
  exchange.request.set_body(in.buffer.octets());
  exchange.stage = Exchange::Stage::ready;
}

/// The first `n` octets of the input are the next ones of the body.
void hand_on(Channel& channel, Exchange& exchange, Incoming& in, std::size_t n) noexcept {
  in.total += n;
  if (in.total > in.most) return answer_too_long(channel, exchange);
  if (!in.receiver) return keep(channel, exchange, in, n);
  in.shown = n;
  show(channel, exchange, in);
}

bool take_by_length(Channel& channel, Exchange& exchange, Incoming& in) noexcept {
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(in.left, channel.plaintext().size()));
  if (n == 0 && in.left != 0) return false;
  in.left -= n;
  in.whole = in.left == 0;
  hand_on(channel, exchange, in, n);
  return true;
}

/// Keeps the trailer fields, for a route that asks for them; false without memory.
bool keep_trailers(Exchange& exchange, base::Bytes section) noexcept {
  auto* kept = static_cast<char*>(exchange.region->allocate(section.size(), 1));
  if (kept == nullptr) return false;
  std::memcpy(kept, section.data(), section.size());
  const auto trailers = http::read_trailers({kept, section.size()}, *exchange.region);
  if (trailers) exchange.request.set_trailers(*trailers);
  return trailers.has_value();
}

void end_chunks(Channel& channel, Exchange& exchange, Incoming& in, base::Bytes section) noexcept {
  const bool kept = !exchange.route->options.trailers || keep_trailers(exchange, section);
  channel.consume(section.size());
  if (!kept) return answer_no_room(channel, exchange);
  in.whole = true;
  hand_on(channel, exchange, in, 0);
}

bool take_by_chunks(Channel& channel, Exchange& exchange, Incoming& in) noexcept {
  using State = http::ChunkedDecoder::State;
  if (channel.plaintext().empty()) return false;
  const auto step = in.chunks.next(channel.plaintext(), service_of(channel).limits);
  switch (step.state) {
    case State::data:
      channel.consume(step.consumed - step.data.size());
      hand_on(channel, exchange, in, step.data.size());
      return true;
    case State::end:
      channel.consume(step.consumed - step.data.size());
      end_chunks(channel, exchange, in, step.data);
      return true;
    case State::refused:
      answer_error(channel, exchange, in.chunks.refusal().status, in.chunks.refusal().text);
      return false;
    case State::more:
      channel.consume(step.consumed);
      return false;
  }
  return false;
}

/// Takes a step; false when there is nothing to take now.
bool take_some(Channel& channel, Exchange& exchange, Incoming& in) noexcept {
  if (exchange.stage != Exchange::Stage::receiving || in.paused) return false;
  if (in.shown != 0) return show(channel, exchange, in), true;
  return in.chunked ? take_by_chunks(channel, exchange, in) : take_by_length(channel, exchange, in);
}

/// Reads; a body of known length goes where it stays, as far as it comes in records of its own.
bool read_on(Channel& channel, Exchange& exchange, Incoming& in) noexcept {
  if (in.chunked || in.receiver || !channel.plaintext().empty()) return channel.read();
  const auto next = static_cast<std::size_t>(std::min<std::uint64_t>(in.left, tls::max_plaintext_bytes));
  if (!grow(channel, in, next)) {
    answer_no_room(channel, exchange);
    return true;
  }
  std::size_t n = 0;
  // A record's inner content type comes behind its content.
  const bool came = channel.read_to(in.buffer.rest(1), n);
  in.buffer.wrote(n);
  in.left -= n;
  in.total += n;
  if (n != 0) channel.note_body(in.buffer);
  return came;
}

Receiving receive_apart(Channel& channel, Exchange& exchange, Incoming& in) noexcept {
  for (;;) {
    while (take_some(channel, exchange, in)) {
    }
    if (exchange.stage != Exchange::Stage::receiving) return Receiving::whole;
    if (in.paused || !say_continue(channel, exchange)) return Receiving::waiting;
    if (!read_on(channel, exchange, in)) return Receiving::more;
  }
}

Receiving receive_in_place(Channel& channel, Exchange& exchange) noexcept {
  while (channel.plaintext().size() < exchange.input_bytes) {
    if (!say_continue(channel, exchange)) return Receiving::waiting;
    if (!channel.read()) return Receiving::more;
  }
  const auto body = static_cast<std::size_t>(exchange.request.head().content_length);
  exchange.request.set_body(channel.plaintext().subspan(exchange.input_bytes - body, body));
  exchange.stage = Exchange::Stage::ready;
  return Receiving::whole;
}

}  // namespace

void expect_body(Channel& channel, Exchange& exchange, std::size_t head_bytes) noexcept {
  const http::RequestHead& head = exchange.request.head();
  const http::Route& route = *exchange.route;
  const std::uint64_t most = longest_body(service_of(channel), route);
  const bool never_fits = !route.upload && head.content_length > channel.body_memory_limit();
  if (head.content_length > most || never_fits) return answer_too_long(channel, exchange);
  const std::size_t there = channel.plaintext().size() - head_bytes;
  exchange.owes_continue = head.expects_continue && there == 0;
  if (!route.upload && !head.chunked && channel.fits(head_bytes + head.content_length)) {
    exchange.input_bytes = head_bytes + static_cast<std::size_t>(head.content_length);
    return;
  }
  const bool chunked = head.chunked;
  const std::uint64_t length = head.content_length;
  Incoming* in = set_apart(channel, exchange, head_bytes);
  if (in == nullptr) return;
  in->chunked = chunked;
  in->left = length;
  in->most = most;
  if (route.upload) {
    in->receiver = service_of(channel).dispatcher->open(route, exchange.request, exchange.response);
    if (in->receiver) return;
    end_receiving(exchange, !chunked && length == 0);
  } else if (!chunked && !in->buffer.allocate(static_cast<std::size_t>(length))) {
    answer_no_room(channel, exchange);
  }
}

Receiving receive_body(Channel& channel, Exchange& exchange) noexcept {
  return exchange.incoming == nullptr ? receive_in_place(channel, exchange)
                                      : receive_apart(channel, exchange, *exchange.incoming);
}

}  // namespace signet::server
