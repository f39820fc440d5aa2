// The server's side of a handshake never compresses the same block from the same state twice; above all, each
// secret of the key schedule is prepared once, whatever is derived from it.
//
// This program has its own kernel lists, in the place of crypto/sha2_kernels.cpp: the portable kernels, and
// before them a record of what they are given.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <doctest/doctest.h>

#include <signet/crypto/hash.hpp>
#include <signet/tests/support/tls_pair.hpp>
#include <signet/tls/connection.hpp>
#include <signet/tls/handshake_area.hpp>

using namespace signet;

namespace {

using Octets = std::vector<std::uint8_t>;

/// How often each run of blocks was compressed, by the state before it and the blocks themselves. Messages of
/// the key schedule are given a block at a time.
std::map<Octets, int> compressed;
bool recording = false;

template <class Word>
void record(const Word state[8], const std::uint8_t* blocks, std::size_t count) {
  if (!recording || count == 0) return;
  const auto* before = reinterpret_cast<const std::uint8_t*>(state);
  Octets seen(before, before + 8 * sizeof(Word));
  seen.insert(seen.end(), blocks, blocks + count * 16 * sizeof(Word));
  compressed[seen]++;
}

void recording_sha256(std::uint32_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept {
  record(state, blocks, count);
  crypto::sha256_portable.compress(state, blocks, count);
}
void recording_sha512(std::uint64_t state[8], const std::uint8_t* blocks, std::size_t count) noexcept {
  record(state, blocks, count);
  crypto::sha512_portable.compress(state, blocks, count);
}

}  // namespace

namespace signet::crypto {

std::span<const Sha256Kernel* const> sha256_kernels() noexcept {
  static constexpr Sha256Kernel kernel = {"sha256-recording", recording_sha256};
  static constexpr const Sha256Kernel* list[] = {&kernel};
  return list;
}
std::span<const Sha512Kernel* const> sha512_kernels() noexcept {
  static constexpr Sha512Kernel kernel = {"sha512-recording", recording_sha512};
  static constexpr const Sha512Kernel* list[] = {&kernel};
  return list;
}

}  // namespace signet::crypto

namespace {

struct Server {
  explicit Server(const tls::ServerSettings& settings) : connection(settings, *keys) { area->wipe(); }
  ~Server() { connection.wipe(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::unique_ptr<tls::KeyCache> keys = std::make_unique<tls::KeyCache>();
  std::unique_ptr<base::RecvBuffer> in = std::make_unique<base::RecvBuffer>();
  std::unique_ptr<base::SendBuffer> out = std::make_unique<base::SendBuffer>(tls::plain_record_room);
  std::unique_ptr<tls::HandshakeArea> area = std::make_unique<tls::HandshakeArea>();
  tls::Connection connection;
};

/// Goes on until the peer is needed, or the handshake is done. What is compressed meanwhile is recorded, but
/// for the signature, which is not of the key schedule.
tls::Event advance(Server& server) {
  for (;;) {
    recording = true;
    const tls::Event event = server.connection.next(*server.in, *server.out);
    recording = false;
    if (event.kind == tls::Event::Kind::handshake_done) server.connection.take_area()->wipe();
    if (event.kind != tls::Event::Kind::wait) return event;
    if (event.wait == tls::Wait::area) {
      server.connection.lend_area(*server.area);
    } else if (event.wait == tls::Wait::signature) {
      server.connection.sign();
    } else {
      return event;
    }
  }
}

void shake_hands(Server& server, test::TlsClient& client) {
  for (;;) {
    const Octets octets = client.take_output();
    const base::MutBytes room = server.in->room(octets.size());
    REQUIRE(room.size() >= octets.size());
    std::copy(octets.begin(), octets.end(), room.begin());
    server.in->received(octets.size());
    const tls::Event event = advance(server);
    const base::Bytes pending = server.out->pending();
    client.receive(pending);
    server.out->sent(pending.size());
    if (event.kind == tls::Event::Kind::wait) continue;
    REQUIRE(event.kind == tls::Event::Kind::handshake_done);
    REQUIRE(client.established());
    return;
  }
}

void shake_hands(tls::CipherSuite suite) {
  tls::ServerSettings settings;
  settings.identity = test::test_identity();
  test::ClientOptions options;
  options.suites = {suite};
  test::TlsClient client(options);
  Server server(settings);
  shake_hands(server, client);
}

std::size_t repeated() {
  return static_cast<std::size_t>(
      std::count_if(compressed.begin(), compressed.end(), [](const auto& one) { return one.second > 1; }));
}

}  // namespace

TEST_CASE("a key that is prepared twice is found") {
  const Octets secret(32, 7);
  compressed.clear();
  recording = true;
  const tls::LabelKey first(crypto::HashId::sha256, secret);
  CHECK(repeated() == 0);
  const tls::LabelKey again(crypto::HashId::sha256, secret);
  recording = false;
  CHECK(repeated() == 2);
}

TEST_CASE("the server's side of a handshake hashes no block twice") {
  for (const tls::CipherSuite suite :
       {tls::CipherSuite::aes_128_gcm_sha256, tls::CipherSuite::aes_256_gcm_sha384}) {
    shake_hands(suite);  // what is prepared once a process is not counted
    compressed.clear();
    shake_hands(suite);
    CHECK(compressed.size() > 40);
    CHECK(repeated() == 0);
  }
}
