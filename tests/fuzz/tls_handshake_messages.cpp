// The messages that a client sends after the first ClientHello: the second one, and the Finished behind
// record protection. The input edits the right message, cuts it into records, sealed where keys are in use,
// and puts others between them.
//
// Control: bits 0-1 where the handshake stands (bit 1: early data was offered), bits 2-4 size of the pieces,
// bits 5-6 suite, bit 7 limits that short inputs reach.
#include <signet/tests/fuzz/engine.hpp>
#include <signet/tests/fuzz/inner_content.hpp>
#include <signet/tests/fuzz/require.hpp>
#include <signet/tests/support/tls_client.hpp>

using namespace signet;
using namespace signet::fuzz;

namespace {

test::ClientOptions client_options(const Input& input) {
  constexpr tls::CipherSuite suites[] = {tls::CipherSuite::aes_128_gcm_sha256,
                                         tls::CipherSuite::aes_256_gcm_sha384,
                                         tls::CipherSuite::chacha20_poly1305_sha256};
  test::ClientOptions options;
  options.suites = {suites[input.control(5, 2) % std::size(suites)]};
  if (input.control(0, 1) == 0) options.shares = {};  // a HelloRetryRequest asks for one
  options.early_data = input.control(1, 1) != 0;
  return options;
}

class Handshake {
 public:
  explicit Handshake(const Input& input)
      : client_(client_options(input)),
        engine_(settings_of(input)),
        piece_(piece_bytes(input.control(2, 3))) {
    const bool second_hello = input.control(0, 1) == 0;
    if (!second_hello) client_.hold_finished();
    engine_.feed(client_.take_output(), 0);
    client_.receive(engine_.take_output());
    require(!engine_.over() && client_.fault().empty(), "the handshake gets that far");
    (void)client_.take_output();  // the second hello: sent below
    right_ = second_hello ? client_.client_hello() : client_.finished_message();
    message_ = right_;
  }

  void run(Input& input) {
    while (!input.empty()) take_step(input);
    send_message(message_.size());
    deliver();
    client_.receive(engine_.take_output());
    deliver();  // after a second hello that was taken, the client's Finished
    require(!engine_.established() || raw_ || handshake_octets_ == right_,
            "only the right messages end a handshake");
    require(engine_.established() || !undisturbed_ || handshake_octets_ != right_,
            "the right messages do end it");
  }

 private:
  static tls::ServerSettings settings_of(const Input& input) {
    tls::ServerSettings settings = usual_settings();
    if (input.control(7, 1) != 0) settings.limits = small_limits();
    return settings;
  }

  void take_step(Input& input) {
    switch (input.u8() % 8) {
      case 0:
        return overwrite(place(input), input.counted());
      case 1: {
        const base::Bytes octets = input.counted();
        message_.insert(message_.begin() + place(input), octets.begin(), octets.end());
        return;
      }
      case 2: {
        const std::ptrdiff_t at = place(input);
        const std::size_t rest = message_.size() - static_cast<std::size_t>(at);
        message_.erase(
            message_.begin() + at,
            message_.begin() + at + static_cast<std::ptrdiff_t>(std::min<std::size_t>(input.u8(), rest)));
        return;
      }
      case 3:
        return send_message(input.u8());
      case 4: {
        const auto type = static_cast<tls::ContentType>(input.u8());
        return send_other(type, input.counted(), false);
      }
      case 5: {
        const auto type = static_cast<tls::ContentType>(input.u8());
        return send_other(type, input.counted(), true);
      }
      case 6:
        return deliver();
      default:
        return send_raw(input.counted());
    }
  }

  std::ptrdiff_t place(Input& input) const {
    return static_cast<std::ptrdiff_t>(input.u16() % (message_.size() + 1));
  }

  void overwrite(std::ptrdiff_t at, base::Bytes octets) {
    const std::size_t room = message_.size() - static_cast<std::size_t>(at);
    std::copy_n(octets.begin(), std::min(octets.size(), room), message_.begin() + at);
  }

  // The next `count` octets of the message in one record.
  void send_message(std::size_t count) {
    const std::size_t n = std::min(count, message_.size());
    if (n == 0) return;
    client_.send(tls::ContentType::handshake, base::Bytes(message_).first(n));
    add_handshake_octets(base::Bytes(message_).first(n));
    message_.erase(message_.begin(), message_.begin() + static_cast<std::ptrdiff_t>(n));
  }

  void send_other(tls::ContentType type, base::Bytes content, bool in_the_clear) {
    undisturbed_ = false;
    if (in_the_clear || !client_.core().write_protected) {
      client_.send_plain(type, content);
      if (type == tls::ContentType::handshake) add_handshake_octets(content);
    } else {
      client_.send(type, content);
      const InnerContent inner(type, content);
      if (inner.type == tls::ContentType::handshake) add_handshake_octets(inner.content);
    }
  }

  void add_handshake_octets(base::Bytes octets) {
    handshake_octets_.insert(handshake_octets_.end(), octets.begin(), octets.end());
  }

  void send_raw(base::Bytes octets) {
    undisturbed_ = false;
    raw_ = true;
    deliver();
    engine_.feed(octets, piece_);
  }

  void deliver() { engine_.feed(client_.take_output(), piece_); }

  test::TlsClient client_;
  Engine engine_;
  std::size_t piece_;
  Octets right_, message_;   // the message as it should be, and what is left of it to send
  Octets handshake_octets_;  // sent so far, but for what came as raw octets
  bool undisturbed_ = true;  // nothing but the message was sent
  bool raw_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input({data, size});
  Handshake(input).run(input);
  return 0;
}
