// The engine after a handshake. The input is a row of steps; what they send is sealed under the client's
// keys, so that the fuzzer reaches what lies behind the AEAD.
//
// Control: bits 0-1 suite, bits 2-4 size of the pieces, bit 5 all at the end and at once, bit 6 the reader
// holds plaintext back, bit 7 limits that short inputs reach.
#include <signet/tests/fuzz/engine.hpp>
#include <signet/tests/fuzz/inner_content.hpp>
#include <signet/tests/fuzz/require.hpp>
#include <signet/tests/support/tls_client.hpp>

using namespace signet;
using namespace signet::fuzz;

namespace {

constexpr std::size_t most_content_bytes = 17000;  // more than a record may have
constexpr std::size_t most_said_bytes = 20000;     // at once
constexpr std::size_t room_for_alert = 100;
constexpr std::size_t most_said_in_all = 100'000;  // more than a send buffer holds

test::ClientOptions client_options(unsigned choice) {
  constexpr tls::CipherSuite suites[] = {tls::CipherSuite::aes_128_gcm_sha256,
                                         tls::CipherSuite::aes_256_gcm_sha384,
                                         tls::CipherSuite::chacha20_poly1305_sha256};
  test::ClientOptions options;
  options.suites = {suites[choice % std::size(suites)]};
  if (choice == 3) options.record_size_limit = 64;
  return options;
}

// A client and the engine, and what each should have from the other.
class Conversation {
 public:
  explicit Conversation(const Input& input)
      : client_(client_options(input.control(0, 2))),
        engine_(settings_of(input)),
        piece_(piece_bytes(input.control(2, 3))),
        waits_for_end_(input.control(5, 1) != 0),
        limits_(settings_of(input).limits) {
    if (input.control(6, 1) != 0) engine_.hold_plaintext();
    while (!engine_.established()) {
      engine_.feed(client_.take_output(), 0);
      client_.receive(engine_.take_output());
    }
    require(client_.established() && client_.fault().empty(), "the handshake works");
  }

  void run(Input& input) {
    while (!input.empty()) {
      take_step(input);
      if (!waits_for_end_) deliver();
    }
    deliver();
    engine_.consume_plaintext();
    check();
  }

 private:
  static tls::ServerSettings settings_of(const Input& input) {
    tls::ServerSettings settings = usual_settings();
    if (input.control(7, 1) != 0) settings.limits = small_limits();
    return settings;
  }

  void take_step(Input& input) {
    const unsigned step = input.u8();
    switch (step % 8) {
      case 0:
        return send_data(input.counted());
      case 1: {
        const auto type = static_cast<tls::ContentType>(input.u8());
        const std::size_t padding = input.u8();
        return send(type, input.counted(), padding);
      }
      case 2: {
        const auto type = static_cast<tls::ContentType>(input.u8());
        return send(type, Octets(input.u16() % most_content_bytes, input.u8()), 0);
      }
      case 3:
        return append_raw(input.counted());
      case 4:
        return send_key_update(step >= 128);
      case 5:
        return say(static_cast<std::uint8_t>(step), input.u16() % most_said_bytes);
      case 6:
        client_closed_ = true;
        return client_.close();
      default:
        return close();
    }
  }

  void send_data(base::Bytes content) {
    empty_records_ = content.empty() ? empty_records_ + 1 : 0;
    if (!content.empty()) key_updates_ = 0;
    proper_ = proper_ && empty_records_ <= limits_.empty_records;
    client_.send(tls::ContentType::application_data, content);
    if (!client_closed_) sent_.insert(sent_.end(), content.begin(), content.end());
  }

  void send_key_update(bool request) {
    proper_ = proper_ && ++key_updates_ <= limits_.key_updates;
    client_.send_key_update(request);
  }

  // Whatever the fuzzer makes up.
  void send(tls::ContentType type, base::Bytes content, std::size_t padding) {
    proper_ = false;
    client_.send(type, content, padding);
    const InnerContent inner(type, content);
    if (inner.type != tls::ContentType::application_data) return;
    sent_.insert(sent_.end(), inner.content.begin(), inner.content.end());
  }

  void append_raw(base::Bytes octets) {
    proper_ = false;
    collect();
    for_server_.insert(for_server_.end(), octets.begin(), octets.end());
  }

  void say(std::uint8_t octet, std::size_t count) {
    if (said_.size() + count > most_said_in_all || engine_.failure() || server_closed_) return;
    if (octet < 128) {
      engine_.say(octet, count);
    } else {
      engine_.say_from(Octets(count, octet));
    }
    said_.insert(said_.end(), count, octet);
  }

  void close() {
    if (server_closed_) return;
    server_closed_ = true;
    client_.receive(engine_.take_output());  // makes room
    engine_.close();
    client_.receive(engine_.take_output());
    require(client_.peer_closed() || engine_.failure(), "a close is said by close_notify");
  }

  void collect() {
    const Octets octets = client_.take_output();
    for_server_.insert(for_server_.end(), octets.begin(), octets.end());
  }

  void deliver() {
    collect();
    engine_.feed(for_server_, piece_);
    for_server_.clear();
    const Octets answer = engine_.take_output();
    require(!server_closed_ || answer.empty(), "nothing follows a close_notify");
    buffer_was_full_ = buffer_was_full_ || answer.size() > base::SendBuffer::capacity - room_for_alert;
    client_.receive(answer);
  }

  void check() const {
    require(client_.fault().empty(), "the client can read everything");
    require(client_.received() == said_, "the client gets what the server said");
    const Octets& received = engine_.received();
    require(received.size() <= sent_.size() && std::equal(received.begin(), received.end(), sent_.begin()),
            "the server hands out what the client sealed, in its order");
    require(!proper_ || (!engine_.failure() && received == sent_), "what a proper client sends arrives");
    const auto& failure = engine_.failure();
    const bool says =
        failure && failure->reason != tls::Reason::peer_alert && !server_closed_ && !buffer_was_full_;
    if (says) {
      require(client_.alert() == failure->alert, "a failure is said by its alert");
    }
  }

  test::TlsClient client_;
  Engine engine_;
  std::size_t piece_;
  bool waits_for_end_;
  tls::Limits limits_;
  bool proper_ = true;  // the client did nothing that it may not do, so far
  std::size_t empty_records_ = 0, key_updates_ = 0;
  bool client_closed_ = false, server_closed_ = false;
  bool buffer_was_full_ = false;  // an alert is not said when there is no room for it
  Octets for_server_;             // not yet delivered
  Octets sent_, said_;            // application data, by client and server
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input({data, size});
  Conversation(input).run(input);
  return 0;
}
