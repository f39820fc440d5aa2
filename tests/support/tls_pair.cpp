#include <algorithm>
#include <ctime>

#include <signet/tests/support/tls_pair.hpp>

namespace signet::test {

std::size_t area_residue(const tls::HandshakeArea& area) {
  alignas(tls::HandshakeArea) static std::uint8_t fresh[sizeof(tls::HandshakeArea)];
  static const auto* unused = [] {
    auto* made = new (fresh) tls::HandshakeArea();
    made->wipe();
    return made;
  }();
  const auto* a = reinterpret_cast<const std::uint8_t*>(&area);
  const auto* b = reinterpret_cast<const std::uint8_t*>(unused);
  std::size_t n = 0;
  for (std::size_t i = 0; i < sizeof area; i++) n += a[i] != b[i] ? 1 : 0;
  return n;
}

std::shared_ptr<const tls::Identity> test_identity() {
  static const std::shared_ptr<const tls::Identity> identity = [] {
    auto made = tls::make_development_certificate(std::time(nullptr));
    return made.ok() ? made->identity : nullptr;
  }();
  return identity;
}

TlsPair::TlsPair(ClientOptions options, std::size_t piece_bytes)
    : in(std::make_unique<base::RecvBuffer>()),
      out(std::make_unique<base::SendBuffer>(tls::plain_record_room)),
      area(std::make_unique<tls::HandshakeArea>()),
      client(std::move(options)),
      piece(piece_bytes) {
  settings.identity = test_identity();
  server = std::make_unique<tls::Connection>(settings, keys);
  area->wipe();
}

TlsPair::~TlsPair() { server->wipe(); }

void TlsPair::feed(base::Bytes octets) {
  while (!octets.empty()) {
    const base::MutBytes room = in->room(1);
    if (room.empty()) return;
    const std::size_t n = std::min(room.size(), octets.size());
    std::memcpy(room.data(), octets.data(), n);
    in->received(n);
    octets = octets.subspan(n);
    step();
  }
}

void TlsPair::feed_cut(base::Bytes octets, std::size_t cut) {
  feed(octets.first(cut));
  feed(octets.subspan(cut));
}

void TlsPair::step() {
  for (;;) {
    const tls::Event event = server->next(*in, *out);
    if (event.kind == tls::Event::Kind::data) {
      drain_plaintext();
    } else if (event.kind == tls::Event::Kind::wait) {
      if (event.wait == tls::Wait::area) {
        server->lend_area(*area);
        area_lent = true;
      } else if (event.wait == tls::Wait::signature) {
        server->sign();
      } else {
        flush();
        if (event.wait == tls::Wait::input) break;
      }
    } else {
      events.push_back(event.kind);
      if (event.kind == tls::Event::Kind::handshake_done) {
        server->take_area()->wipe();
        area_lent = false;
        continue;
      }
      if (event.kind == tls::Event::Kind::failed) failure = event.failure;
      flush();
      break;
    }
    worst_residue = std::max(worst_residue, residue());
  }
  if (in->empty()) in->wipe();  // as a channel does when it gives the buffer back
  worst_residue = std::max(worst_residue, residue());
}

void TlsPair::drain_plaintext() {
  const base::Bytes text = in->plaintext();
  received.insert(received.end(), text.begin(), text.end());
  in->consume(text.size());
}

void TlsPair::fill_output() {
  while (!out->window().empty()) {
    out->wrote(out->window().size());
    server->seal(*out);
  }
}

void TlsPair::flush() {
  const base::Bytes pending = out->pending();
  sent.insert(sent.end(), pending.begin(), pending.end());
  client.receive(pending);
  out->sent(pending.size());
}

void TlsPair::run() {
  for (;;) {
    const Octets octets = client.take_output();
    if (octets.empty()) return;
    const base::Bytes all(octets);
    const std::size_t size = piece == 0 ? all.size() : piece;
    for (std::size_t at = 0; at < all.size(); at += size)
      feed(all.subspan(at, std::min(size, all.size() - at)));
  }
}

void TlsPair::say(std::string_view text) {
  while (!text.empty()) {
    const base::MutBytes window = out->window();
    const std::size_t n = std::min(window.size(), text.size());
    std::memcpy(window.data(), text.data(), n);
    out->wrote(n);
    text.remove_prefix(n);
    server->seal(*out);
    flush();
    worst_residue = std::max(worst_residue, residue());
  }
}

void TlsPair::close() {
  server->close(*out);
  flush();
}

std::size_t TlsPair::residue() const {
  std::size_t n = area_lent ? 0 : area_residue(*area);
  // While no handshake runs, the open cell is empty after each step, and two keys are all that is expanded.
  if (!area_lent) n += out->residue();
  if (keys.held() > 2) n += keys.held() - 2;
  return n;
}

}  // namespace signet::test
