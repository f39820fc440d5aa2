// Peers that do not read, and handshakes that do not go on, cost nobody else anything: those that wait
// longest give way, by name, and only where others need what they keep.
#include "tls_support.hpp"

using namespace signet::server;
using namespace signet::test;

namespace {

constexpr std::string_view hello = "GET /hello/bob HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::string_view big = "GET /big/30000 HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::size_t hot = 2, held = 4;
constexpr std::size_t quick_count = 20;
constexpr int small_segment = 536;

WorkerSettings narrow(WorkerSettings settings) {
  settings.areas = hot;
  settings.held = held;
  return settings;
}
WorkerSettings plain_settings(const TestHttp& http) {
  WorkerSettings settings = small_settings();
  settings.service = http.service();
  return settings;
}

/// Without TLS, with the face of a TlsPeer.
struct PlainPeer {
  Rig& rig;
  std::unique_ptr<Peer> socket;
  std::string answer;

  explicit PlainPeer(Rig& with) : PlainPeer(with, 0) {}
  PlainPeer(Rig& with, int segment) : rig(with), socket(std::make_unique<Peer>(with.address, segment)) {
    rig.turns();
  }
  void ready() {}
  void send(std::string_view request) {
    answer.clear();
    socket->send(request);
  }
  std::string_view receive() {
    socket->receive(answer);
    return answer;
  }
};

struct SecurePeer : TlsPeer {
  using TlsPeer::TlsPeer;
  void ready() {
    exchange();
    REQUIRE(client.established());
  }
  void send(std::string_view request) {
    client.forget_received();
    client.send(request);
    flush();
  }
  std::string_view receive() {
    std::string in;
    socket->receive(in);
    if (!in.empty()) client.receive(signet::base::as_bytes(in));
    return signet::base::as_text(client.received());
  }
};

template <class P>
std::unique_ptr<P> make_peer(Rig& rig) {
  auto peer = std::make_unique<P>(rig);
  peer->ready();
  return peer;
}
template <class P>
std::vector<std::unique_ptr<P>> make_peers(Rig& rig, std::size_t count) {
  std::vector<std::unique_ptr<P>> peers;
  for (std::size_t i = 0; i < count; i++) peers.push_back(make_peer<P>(rig));
  return peers;
}

/// Turns until a long answer finds no room in the kernel, of which nothing is read.
template <class P>
void block(Rig& rig, P& peer) {
  peer.send(big);
  rig.turns(200);
}

/// All ask at once: the turns until all have their answers.
template <class P>
std::size_t turns_to_answer(Rig& rig, std::vector<std::unique_ptr<P>>& peers) {
  for (auto& peer : peers) peer->send(hello);
  for (std::size_t turns = 1; turns < 1000; turns++) {
    rig.turns(1);
    std::size_t answered = 0;
    for (auto& peer : peers) answered += peer->receive().ends_with("hello bob\n") ? 1 : 0;
    if (answered == peers.size()) return turns;
  }
  return 0;
}

template <class P>
bool has_ended(P& peer) {
  std::string rest;
  peer.socket->receive(rest);
  return peer.socket->at_end();
}

template <class P>
void slow_beside_quick(const WorkerSettings& settings) {
  Rig rig(narrow(settings));
  auto quick = make_peers<P>(rig, quick_count);
  auto slow = make_peers<P>(rig, held + 2);
  const std::size_t alone = turns_to_answer(rig, quick);
  REQUIRE(alone > 0);
  for (std::size_t i = 0; i < held; i++) {
    block(rig, *slow[i]);
    rig.pass(10);
    CHECK(rig.worker.outputs().held_count() == i + 1);
    CHECK(rig.worker.outputs().hot_free() == hot);
    CHECK(turns_to_answer(rig, quick) == alone);
  }
  CHECK(rig.worker.outputs().first_to_give_way()->residue() == 0);  // sealed octets only

  // For whom nobody needs to make room may go on.
  rig.pass(Worker::patience);
  CHECK(rig.ended(Cause::slow_reader) == 0);

  block(rig, *slow[held]);
  CHECK(rig.ended(Cause::slow_reader) == 1);
  CHECK(has_ended(*slow[0]));
  CHECK(rig.worker.outputs().held_count() == held);
  CHECK(rig.worker.outputs().pool().used() <= hot + held);
  CHECK(turns_to_answer(rig, quick) == alone);
  CHECK(turns_in_200ms(rig.worker) <= 12);

  // The second one reads, and is behind the others then.
  (void)slow[1]->receive();
  rig.turns(200);
  CHECK(rig.worker.outputs().held_count() == held);
  rig.pass(Worker::patience);
  block(rig, *slow[held + 1]);
  CHECK(rig.ended(Cause::slow_reader) == 2);
  CHECK(has_ended(*slow[2]));
  CHECK(turns_to_answer(rig, quick) == alone);
  slow.clear();
  rig.turns(16);
  CHECK(turns_to_answer(rig, quick) == alone);
  CHECK(rig.all_free());
}

}  // namespace

TEST_CASE("more slow readers than may be held, beside quick ones") {
  TestHttp http;
  SUBCASE("plain") { slow_beside_quick<PlainPeer>(plain_settings(http)); }
  SUBCASE("TLS") { slow_beside_quick<SecurePeer>(tls_settings(http.service())); }
}

TEST_CASE(
    "a peer that is blocked for less than the patience is not ended; others wait for it, without spinning") {
  TestHttp http;
  Rig rig(narrow(plain_settings(http)));
  auto slow = make_peers<PlainPeer>(rig, hot + held);
  auto quick = make_peers<PlainPeer>(rig, 1);
  for (auto& peer : slow) block(rig, *peer);
  CHECK(rig.worker.outputs().pool().free() == 0);
  quick[0]->send(hello);
  rig.pass(Worker::patience / 2);
  CHECK(turns_in_200ms(rig.worker) <= 12);
  rig.pass(Worker::patience / 2 - 1);
  CHECK(rig.ended(Cause::slow_reader) == 0);
  CHECK(quick[0]->receive().empty());
  rig.pass(1);
  CHECK(quick[0]->receive().ends_with("hello bob\n"));
  CHECK(rig.ended(Cause::slow_reader) == hot);  // as many as took hot ones' places
  CHECK(rig.worker.outputs().held_count() == held);
  slow.clear();
  rig.turns(16);
  CHECK(rig.all_free());
}

TEST_CASE("a peer that reads little by little goes behind one that reads nothing") {
  TestHttp http;
  WorkerSettings settings = plain_settings(http);
  settings.areas = 1;
  settings.held = 2;
  Rig rig(settings);
  PlainPeer trickling(rig, small_segment), stopped(rig), other(rig);
  block(rig, trickling);
  rig.pass(10);
  block(rig, stopped);
  rig.pass(10);
  REQUIRE(rig.worker.outputs().held_count() == 2);
  const Ticks since = rig.worker.outputs().first_to_give_way()->since;
  for (int i = 0; i < 100 && rig.worker.outputs().first_to_give_way()->since == since; i++) {
    (void)trickling.receive();
    rig.turns(4);
  }
  CHECK(rig.worker.outputs().held_count() == 2);
  rig.pass(Worker::patience);
  block(rig, other);
  CHECK(rig.ended(Cause::slow_reader) == 1);
  CHECK(has_ended(stopped));
  CHECK_FALSE(has_ended(trickling));
}

TEST_CASE("a send of a part is progress: its buffer stays held, behind the others") {
  TestHttp http;
  Rig rig(plain_settings(http));
  PlainPeer reading(rig, small_segment);
  block(rig, reading);
  auto& outputs = rig.worker.outputs();
  REQUIRE(outputs.held_count() == 1);
  const Sending& buffer = *outputs.first_to_give_way();
  bool was_partial = false;
  for (int i = 0; i < 20'000 && !was_partial; i++) {
    const std::size_t before = buffer.pending().size();
    const std::uint8_t* front = buffer.pending().data();
    rig.pass(1);
    reading.socket->receive_some(reading.answer, 500);
    rig.turns(1);
    REQUIRE(outputs.held_count() == 1);
    REQUIRE(outputs.first_to_give_way() == &buffer);
    // The rest of the same records, not what was written behind them.
    was_partial = buffer.pending().data() > front && buffer.pending().size() < before;
    if (was_partial) CHECK(buffer.since == test_ticks);
  }
  CHECK(was_partial);
}

TEST_CASE("long answers that are read pass their buffers on to those that wait, and none is ended") {
  TestHttp http;
  WorkerSettings settings = plain_settings(http);
  settings.areas = settings.held = 1;
  Rig rig(settings, 16 * 1024);  // less than a send buffer: each one blocks before it is empty
  PlainPeer left(rig, small_segment), right(rig, small_segment);
  PlainPeer* const readers[] = {&left, &right};
  auto quick = make_peers<PlainPeer>(rig, 4);
  for (PlainPeer* reader : readers) {
    reader->send("GET /big/400 HTTP/1.1\r\nHost: x\r\n\r\n");
    rig.turns(50);
  }
  REQUIRE(rig.worker.outputs().pool().free() == 0);
  for (auto& peer : quick) peer->send(hello);
  rig.turns();
  std::size_t answered = 0;
  const auto whole = [](PlainPeer& reader) { return reader.answer.size() > 400'000; };
  for (int i = 0; i < 20'000 && !(whole(left) && whole(right)); i++) {
    rig.turns(1);
    for (PlainPeer* reader : readers) (void)reader->receive();
    if (whole(left) || whole(right) || answered == quick.size()) continue;
    answered = 0;
    for (auto& peer : quick) answered += peer->receive().ends_with("hello bob\n") ? 1 : 0;
  }
  CHECK(answered == quick.size());
  CHECK(whole(left));
  CHECK(whole(right));
  CHECK(rig.ended(Cause::slow_reader) == 0);
  CHECK(rig.all_free());
}

TEST_CASE(
    "where all held ones wait for their peers to read, a half takes a hot one's place until the next half") {
  WorkerSettings settings = small_settings();
  TestHttp http;
  settings.service = http.service();
  settings.held = 1;
  Rig rig(settings);
  PlainPeer reader(rig), first(rig), second(rig), whole(rig);
  reader.send(std::string(big) + std::string(hello));
  rig.turns(200);
  CHECK(rig.worker.inputs().held_count() == 1);
  first.send(hello.substr(0, 10));
  rig.turns();
  CHECK(rig.worker.inputs().overfull());
  CHECK(rig.ended(Cause::gave_way) == 0);
  second.send(hello.substr(0, 10));
  rig.turns();
  CHECK(rig.ended(Cause::gave_way) == 1);
  CHECK(has_ended(first));
  whole.send(hello);
  rig.turns();
  CHECK(whole.receive().ends_with("hello bob\n"));
  second.send(hello.substr(10));
  rig.turns();
  CHECK(second.receive().ends_with("hello bob\n"));
  CHECK(rig.worker.inputs().held_count() == 1);

  // Once the reader is over its patience it goes before a half.
  rig.pass(Worker::patience);
  CHECK(rig.ended(Cause::slow_reader) == 0);
  whole.send(hello.substr(0, 10));
  rig.turns();
  CHECK(rig.ended(Cause::slow_reader) == 1);
  CHECK(has_ended(reader));
  CHECK(rig.ended(Cause::gave_way) == 1);
  whole.send(hello.substr(10));
  rig.turns();
  CHECK(whole.receive().ends_with("hello bob\n"));
  CHECK(rig.all_free());
}

TEST_CASE("handshakes that hold back their Finished give way, the oldest first, when others wait") {
  TestHttp http;
  Rig rig(tls_settings(http.service()));  // two areas
  TlsPeer first(rig), second(rig);
  for (TlsPeer* peer : {&first, &second}) {
    peer->client.hold_finished();
    peer->exchange();
    rig.pass(100);
  }
  rig.pass(Worker::patience);
  CHECK(rig.ended(Cause::slow_handshake) == 0);  // nobody waits
  TlsPeer third(rig);
  third.exchange();
  CHECK(third.client.established());
  CHECK(rig.ended(Cause::slow_handshake) == 1);
  CHECK(has_ended(first));
  CHECK_FALSE(has_ended(second));
  second.client.send_held_finished();
  second.exchange();
  CHECK(second.ask(hello).ends_with("hello bob\n"));
  CHECK(third.ask(hello).ends_with("hello bob\n"));
  CHECK(rig.all_free());
}

TEST_CASE(
    "a client with a long round trip keeps its area while others wait; trickling octets prolong nothing") {
  TestHttp http;
  WorkerSettings settings = tls_settings(http.service());
  settings.handshakes = 1;
  Rig rig(settings);
  TlsPeer honest(rig), trickling(rig), last(rig);
  honest.client.hold_finished();
  trickling.client.hold_finished();
  honest.exchange();
  trickling.exchange();
  last.exchange();
  rig.pass(400);
  CHECK(turns_in_200ms(rig.worker) <= 12);
  honest.client.send_held_finished();
  honest.exchange();
  CHECK(honest.client.established());
  CHECK(honest.ask(hello).ends_with("hello bob\n"));

  trickling.exchange();
  CHECK(rig.worker.areas().pool().used() == 1);
  rig.pass(Worker::patience - 100);
  trickling.client.send_held_finished();
  const signet::test::Octets finished = trickling.client.take_output();
  trickling.socket->send(signet::base::as_text(finished).substr(0, 1));
  rig.turns();
  CHECK(rig.ended(Cause::slow_handshake) == 0);
  rig.pass(100);
  CHECK(rig.ended(Cause::slow_handshake) == 1);
  CHECK(has_ended(trickling));
  last.exchange();
  CHECK(last.ask(hello).ends_with("hello bob\n"));
  CHECK(rig.all_free());
}

TEST_CASE("a close_notify for which no buffer is free waits for one") {
  TestHttp http;
  WorkerSettings settings = tls_settings(http.service());
  settings.areas = settings.held = 1;
  settings.periods.idle = Worker::patience / 2;
  Rig rig(settings);
  auto slow = make_peers<SecurePeer>(rig, 2);
  auto idle = make_peer<SecurePeer>(rig);
  for (auto& peer : slow) block(rig, *peer);
  REQUIRE(rig.worker.outputs().pool().free() == 0);
  rig.pass(settings.periods.idle);
  CHECK_FALSE(has_ended(*idle));
  CHECK(turns_in_200ms(rig.worker) <= 12);
  rig.pass(Worker::patience);
  CHECK(rig.ended(Cause::slow_reader) == 1);
  idle->exchange();
  CHECK(idle->client.peer_closed());
  CHECK(idle->socket->at_end());
  idle->socket->close();
  slow.clear();
  rig.turns(16);
  CHECK(rig.ended(Cause::idle_timeout) == 1);
  CHECK(rig.all_free());
}
