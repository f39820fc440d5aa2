#include <signet/base/sanitizer.hpp>
#include <signet/tests/fuzz/engine.hpp>
#include <signet/tests/fuzz/require.hpp>
#include <signet/tests/support/tls_pair.hpp>

namespace signet::fuzz {
namespace {

using tls::Event;
using tls::Wait;

constexpr std::string_view protocols[] = {"h2", "http/1.1"};
constexpr std::size_t most_held_bytes = 4096;
constexpr std::size_t most_pieces = 512;

}  // namespace

tls::ServerSettings usual_settings() {
  tls::ServerSettings settings;
  settings.identity = test::test_identity();
  settings.protocols = protocols;
  return settings;
}

tls::Limits small_limits() {
  tls::Limits limits;
  limits.handshake_message_bytes = 600;
  limits.empty_records = 3;
  limits.change_cipher_specs = 2;
  limits.warning_alerts = 2;
  limits.key_updates = 3;
  limits.skipped_early_data_bytes = 100;
  limits.records_per_key = 4;
  return limits;
}

Engine::Engine(const tls::ServerSettings& settings)
    : settings_(settings),
      in_(std::make_unique<base::RecvBuffer>()),
      out_(std::make_unique<base::SendBuffer>(tls::plain_record_room)),
      area_(std::make_unique<tls::HandshakeArea>()),
      connection_(std::make_unique<tls::Connection>(settings_, keys_)) {
  area_->wipe();
}

Engine::~Engine() {
  base::unpoison(in_.get(), sizeof *in_);
  require(area_lent_ || test::area_residue(*area_) == 0, "an area that is back is clean");
  connection_->wipe();
  require(keys_.held() == 0, "a wiped connection leaves no expanded key");
  if (connection_->take_area() != nullptr) area_->wipe();
}

void Engine::feed(base::Bytes octets, std::size_t piece) {
  const std::size_t size = piece == 0 ? octets.size() : std::max(piece, octets.size() / most_pieces + 1);
  while (!octets.empty()) {
    base::unpoison(in_.get(), sizeof *in_);
    const base::MutBytes room = in_->room(1);
    if (room.empty() && over()) return;  // nobody reads a connection that is over
    require(!room.empty(), "waiting for input leaves room for it");
    const std::size_t n = std::min({room.size(), size, octets.size()});
    receive(octets.first(n));
    octets = octets.subspan(n);
    step();
  }
  require(keys_.held() <= 2, "two keys are all that is expanded");
}

// Behind what arrived, the buffer is nobody's to look at; its padding is for readers of JSON alone.
void Engine::receive(base::Bytes piece) {
  const base::MutBytes room = in_->room(1);
  std::memcpy(room.data(), piece.data(), piece.size());
  in_->received(piece.size());
  base::poison(room.data() + piece.size(), room.size() - piece.size() + base::RecvBuffer::padding);
}

Engine::Standing Engine::standing() const {
  return {in_->raw().size(), in_->plaintext().size(), out_->pending().size()};
}

void Engine::step() {
  for (;;) {
    const Standing before = standing();
    const Event event = connection_->next(*in_, *out_);
    if (over()) require(standing() == before, "a connection that is over changes nothing");
    if (!serve(event, before)) {
      check_asking_again(event);
      break;
    }
  }
  check_rest();
}

bool Engine::serve(const Event& event, const Standing& before) {
  switch (event.kind) {
    case Event::Kind::data:
      require(!in_->plaintext().empty() && in_->raw().size() < before.raw, "data comes from received octets");
      require(established(), "data comes after the handshake");
      if (!holds_plaintext_ || in_->plaintext().size() >= most_held_bytes) consume_plaintext();
      return true;
    case Event::Kind::handshake_done:
      on_handshake_done(before);
      return true;
    case Event::Kind::wait:
      return serve_wait(event.wait, before);
    case Event::Kind::peer_closed:
      require(!failure_ && (peer_closed_ || in_->raw().size() < before.raw), "close_notify is a record");
      peer_closed_ = true;
      return false;
    case Event::Kind::failed:
      require(!peer_closed_ && (!failure_ || *failure_ == event.failure), "what failed stays failed");
      require(event.failure.reason != tls::Reason::none, "a failure has a reason");
      require(event.failure.alert == tls::Failure(event.failure.reason).alert, "the alert is the reason's");
      failure_ = event.failure;
      return false;
  }
  require(false, "an event has a kind");
  return false;
}

bool Engine::serve_wait(Wait wait, const Standing& before) {
  switch (wait) {
    case Wait::area:
      require(areas_++ == 0 && connection_->needs_area(), "one area, once");
      connection_->lend_area(*area_);
      area_lent_ = true;
      return true;
    case Wait::signature:
      require(signatures_++ == 0, "one signature a handshake");
      connection_->sign();
      return true;
    case Wait::flush:
      require(before.pending > 0, "flushing makes room");
      flush();
      return true;
    case Wait::input:
      return false;
  }
  require(false, "a wait is for something");
  return false;
}

void Engine::on_handshake_done(const Standing& before) {
  require(!handshake_done_ && established(), "the handshake ends once");
  require(in_->raw().size() + in_->plaintext().size() < before.raw + before.plaintext, "a Finished ends it");
  handshake_done_ = true;
  require(connection_->take_area() == area_.get(), "the area comes back");
  area_->wipe();
  area_lent_ = false;
}

void Engine::check_asking_again(const Event& event) {
  const Standing before = standing();
  const Event again = connection_->next(*in_, *out_);
  require(again.kind == event.kind && again.wait == event.wait && again.failure == event.failure,
          "asked again, it answers the same");
  require(standing() == before, "asked again, it does nothing");
}

void Engine::check_rest() {
  if (in_->empty()) {
    base::unpoison(in_.get(), sizeof *in_);
    in_->wipe();  // as a channel does when it gives the buffer back
    require(in_->residue() == 0, "a wiped buffer is clean");
  }
  // While a handshake runs, the open cell may hold a part of our flight.
  require(area_lent_ || out_->residue() == 0, "sealed cells are clean");
}

void Engine::consume_plaintext() {
  const base::Bytes text = in_->plaintext();
  if (!established() || text.empty()) return;
  received_.insert(received_.end(), text.begin(), text.end());
  in_->consume(text.size());
}

void Engine::say(std::uint8_t octet, std::size_t count) {
  if (!established()) return;
  while (count > 0) {
    const base::MutBytes window = out_->window();
    const std::size_t n = std::min(window.size(), count);
    if (n == 0) {
      require(!out_->pending().empty(), "an empty send buffer has room");
      flush();
      continue;
    }
    std::memset(window.data(), octet, n);
    out_->wrote(n);
    count -= n;
    connection_->seal(*out_);
    require(out_->residue() == 0, "sealing leaves no plaintext");
  }
}

void Engine::say_from(base::Bytes text) {
  while (established() && !text.empty()) {
    const std::size_t n = connection_->seal_from(*out_, text);
    text = text.subspan(n);
    if (n > 0) continue;
    require(!out_->pending().empty(), "an empty send buffer has room");
    flush();
  }
}

void Engine::close() {
  if (!established()) return;
  connection_->close(*out_);
}

void Engine::flush() {
  const base::Bytes pending = out_->pending();
  output_.insert(output_.end(), pending.begin(), pending.end());
  out_->sent(pending.size());
}

Octets Engine::take_output() {
  flush();
  for (std::size_t at = 0; at < output_.size();) {
    require(output_.size() - at >= tls::record_header_bytes, "what is sent consists of records");
    const tls::RecordHeader header = tls::RecordHeader::parse(&output_[at]);
    require(header.type >= tls::ContentType::change_cipher_spec &&
                header.type <= tls::ContentType::application_data,
            "a record has a type");
    require(header.length > 0 && header.length <= tls::max_ciphertext_bytes, "a record has its bounds");
    at += tls::record_header_bytes + header.length;
    require(at <= output_.size(), "what is sent consists of whole records");
  }
  Octets taken;
  taken.swap(output_);
  return taken;
}

}  // namespace signet::fuzz
