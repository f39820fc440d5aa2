// A server with its threads: start, sharing out, drain and stop.
#include <thread>

#include "support.hpp"

#include <signet/server/app.hpp>

using namespace signet::server;
using namespace signet::test;
using namespace std::chrono_literals;

namespace {

Options plain_options(unsigned workers) {
  Options options;
  options.listen = {"127.0.0.1:0"};
  options.plain = true;
  options.workers = workers;
  options.connections = 64;
  return options;
}

void add_hello(signet::App& app) {
  app.get("/hello/{name}", [](const signet::http::Request& request, signet::http::Response& response) {
    response.text(signet::http::status::ok, "hello ", request.param("name"), "\n");
  });
}

std::string wait_for(Peer& peer, std::string_view end) {
  std::string answer;
  for (int i = 0; i < 2000 && !peer.at_end() && (end.empty() || !answer.ends_with(end)); i++) {
    peer.receive(answer);
    std::this_thread::sleep_for(1ms);
  }
  return answer;
}

constexpr std::string_view hello = "GET /hello/bob HTTP/1.1\r\nHost: x\r\n\r\n";

}  // namespace

TEST_CASE("workers share an address and their connections, and a drain ends them in order") {
  signet::App app;
  add_hello(app);
  auto started = app.start(plain_options(2));
  REQUIRE(started.ok());
  Server& server = **started;
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 16; i++) {
    peers.push_back(std::make_unique<Peer>(server.addresses().front()));
    peers.back()->send(hello);
    CHECK(wait_for(*peers.back(), "hello bob\n").ends_with("hello bob\n"));
  }
  // No worker more than a quarter over its share, one connection apart.
  for (const auto& worker : server.workers()) CHECK(worker->load() <= 11);
  Peer half(server.addresses().front());
  half.send(hello.substr(0, 10));
  std::this_thread::sleep_for(20ms);
  server.report();
  server.drain();
  for (auto& peer : peers) {
    CHECK(wait_for(*peer, "").empty());  // idle ones end without a word
    CHECK(peer->at_end());
    CHECK_FALSE(peer->was_reset());
    peer->close();
  }
  half.send(hello.substr(10));
  const std::string last = wait_for(half, "");
  CHECK(last.find("Connection: close\r\n") != last.npos);
  CHECK(last.ends_with("hello bob\n"));
  half.close();
  CHECK(server.wait_for(5s));
  server.join();
  CHECK(server.counters().requests == 17);
  CHECK(server.counters().accepted == 17);
}

TEST_CASE("what was queued when a drain began is served") {
  signet::App app;
  add_hello(app);
  auto started = app.start(plain_options(1));
  REQUIRE(started.ok());
  std::vector<std::unique_ptr<Peer>> peers;
  for (int i = 0; i < 8; i++) {
    peers.push_back(std::make_unique<Peer>((*started)->addresses().front()));
    peers.back()->send(hello);
  }
  (*started)->drain();
  for (auto& peer : peers) CHECK(wait_for(*peer, "").ends_with("hello bob\n"));
  peers.clear();
  CHECK((*started)->wait_for(5s));
}

TEST_CASE("a stop cuts off what is under way") {
  signet::App app;
  add_hello(app);
  auto started = app.start(plain_options(2));
  REQUIRE(started.ok());
  Peer peer((*started)->addresses().front());
  peer.send("GET /hel");
  std::this_thread::sleep_for(10ms);
  (*started)->drain();
  CHECK_FALSE((*started)->wait_for(50ms));
  (*started)->stop();
  CHECK((*started)->wait_for(5s));
  CHECK(wait_for(peer, "").empty());
}

TEST_CASE("what cannot be bound or loaded is said with its reason") {
  signet::App first, second, third, fourth;
  auto started = first.start(plain_options(1));
  REQUIRE(started.ok());
  Options elsewhere = plain_options(1);
  elsewhere.listen = {"192.0.2.1:1"};
  CHECK(second.start(elsewhere).error().starts_with("--listen 192.0.2.1:1: "));
  Options no_file = plain_options(1);
  no_file.plain = false;
  no_file.cert = "/nonexistent/cert.pem";
  no_file.key = "/nonexistent/key.pem";
  CHECK(third.start(no_file).error() == "/nonexistent/cert.pem: No such file or directory");
  fourth.get("no-slash", [](const signet::http::Request&, signet::http::Response&) {});
  CHECK(fourth.start(plain_options(1)).error().starts_with("route no-slash: "));
}
