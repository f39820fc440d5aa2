// Buffers are lent for a turn, held where a message is not whole, and waited for in order.
#include "support.hpp"

using namespace signet::server;
using namespace signet::test;

TEST_CASE("idle connections own nothing") {
  WorkerSettings settings = small_settings();
  settings.service = service_of(serve_echo);
  Rig rig(settings);
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 40; i++) peers.push_back(rig.connect());
  for (auto& peer : peers) CHECK(rig.ask(*peer, "once") == "once");
  CHECK(rig.worker.connections() == 40);
  CHECK(rig.all_free());
}

TEST_CASE("halves are held, and the oldest gives way when there is no room for another") {
  WorkerSettings settings = small_settings();
  settings.service = service_of(serve_lines);
  settings.areas = 1;
  settings.held = 2;
  Rig rig(settings);
  auto first = rig.connect(), second = rig.connect(), third = rig.connect(), whole = rig.connect();
  CHECK(rig.ask(*first, "fir").empty());
  CHECK(rig.ask(*second, "sec").empty());
  CHECK(rig.worker.inputs().held_count() == 2);
  CHECK(rig.worker.inputs().hot() == 0);
  CHECK(rig.ask(*whole, "served meanwhile\n") == "served meanwhile\n");
  CHECK(rig.ended(Cause::gave_way) == 0);
  CHECK(rig.ask(*third, "thi").empty());
  CHECK(rig.ended(Cause::gave_way) == 1);
  std::string rest;
  first->receive(rest);
  CHECK(first->at_end());
  CHECK(rig.ask(*second, "ond\n") == "second\n");
  CHECK(rig.ask(*third, "rd\n") == "third\n");
  CHECK(rig.all_free());
}

TEST_CASE("a peer that does not read is not read from, costs no turns, and is served when it reads") {
  WorkerSettings settings = small_settings();
  settings.service = service_of(serve_echo);
  Rig rig(settings);
  auto peer = rig.connect();
  fill(rig, *peer);
  CHECK(rig.worker.outputs().pool().used() == 1);
  CHECK(turns_in_200ms(rig.worker) <= 12);
  std::string back;
  for (int i = 0; i < 400; i++) {
    peer->receive(back);
    rig.turns(2);
  }
  CHECK(back.size() > 256 * 1024);
  CHECK(back.find_first_not_of('y') == back.npos);
  CHECK(rig.all_free());
}

TEST_CASE("with no send buffer free others wait without spinning, in order, and go on when one comes back") {
  WorkerSettings settings = small_settings();
  settings.service = service_of(serve_echo);
  settings.areas = 1;
  settings.held = 1;
  Rig rig(settings);
  auto held = rig.connect(), hog = rig.connect();
  fill(rig, *held);
  fill(rig, *hog);
  CHECK(rig.worker.outputs().held_count() == 2);
  CHECK(rig.worker.outputs().pool().free() == 0);
  auto second = rig.connect(), third = rig.connect(), gone = rig.connect();
  CHECK(rig.ask(*second, "two").empty());
  CHECK(rig.ask(*third, "three").empty());
  CHECK(rig.ask(*gone, "none").empty());
  CHECK(turns_in_200ms(rig.worker) <= 12);
  gone->reset();
  rig.turns();
  CHECK(rig.ended(Cause::peer_gone) == 1);  // parked, and its end does not spin
  CHECK(turns_in_200ms(rig.worker) <= 12);
  hog->reset();
  rig.turns(16);
  CHECK(rig.listen(*second) == "two");
  CHECK(rig.listen(*third) == "three");
  CHECK(rig.ended(Cause::slow_reader) == 0);
  held->reset();
  rig.turns();
  CHECK(rig.all_free());
}

TEST_CASE("connections beyond the pool wait in the listener's queue") {
  WorkerSettings settings = small_settings();
  settings.service = service_of(serve_echo);
  settings.connections = 2;
  Rig rig(settings);
  auto first = rig.connect(), second = rig.connect(), third = rig.connect();
  CHECK(rig.ask(*first, "1") == "1");
  CHECK(rig.ask(*second, "2") == "2");
  CHECK(rig.ask(*third, "3").empty());
  CHECK(rig.worker.counters().accept_pauses >= 1);
  first->close();
  rig.turns();
  rig.pass(Worker::accept_pause);
  CHECK(rig.listen(*third) == "3");
}

TEST_CASE("a port probe is counted by its own name") {
  WorkerSettings settings = small_settings();
  settings.service = service_of(serve_echo);
  Rig rig(settings);
  rig.connect()->close();
  rig.turns();
  rig.connect()->reset();
  rig.turns();
  CHECK(rig.ended(Cause::probe) == 2);
  CHECK(rig.worker.connections() == 0);
}
