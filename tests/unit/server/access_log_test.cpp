// What the access log is told of each exchange.
#include "site.hpp"

using namespace signet::server;
using namespace signet::test;
namespace http = signet::http;
using http::status;
using std::chrono::microseconds;

namespace {

/// An entry whose views are copied.
struct Logged {
  bool has_request, complete, resumed;
  std::string method, target, pattern, peer, version, suite, group, header;
  unsigned status;
  std::uint64_t bytes;
  microseconds first_byte, whole;
};

struct LoggedSite : Site {
  std::vector<Logged> entries;

  LoggedSite() {
    on_access = [this](const http::AccessEntry& e) {
      entries.push_back({e.request != nullptr, e.complete, e.tls_resumed, std::string(e.method),
                         std::string(e.target), std::string(e.pattern), std::string(e.peer),
                         std::string(e.tls_version), std::string(e.tls_suite), std::string(e.tls_group),
                         e.request == nullptr ? std::string() : std::string(e.request->header("X-Agent")),
                         e.status, e.bytes, e.first_byte, e.whole});
    };
    hello();
    get("/later/{x}", later());
    get("/throws", [](const http::Request&, http::Response&) { throw 1; });
    get("/big", [](const http::Request&, http::Response& response) {
      static const std::string many(64 * 1024, 'm');
      response.repeat(many, 100'000'000);
    });
    get("/stream", [](const http::Request&, http::Response& response) {
      response.stream([](http::Stream& stream) {
        stream.write("stream");
        stream.end();
      });
    });
    add(http::verb::post, "/up", [](const http::Request&, http::Response&) {});
  }
  /// The one entry that came since the last call.
  Logged one() {
    REQUIRE(entries.size() == 1);
    const Logged entry = entries.front();
    entries.clear();
    return entry;
  }
};

/// "GET /hello /hello 200 6": what the request was, the route's pattern, and what the answer was.
std::string line(const Logged& entry) {
  return entry.method + " " + entry.target + " " + entry.pattern + " " + std::to_string(entry.status) + " " +
         std::to_string(entry.bytes) + (entry.complete ? "" : " aborted");
}

}  // namespace

TEST_CASE("an entry has the request, its route, the answer, the peer and the times") {
  LoggedSite site;
  Rig rig(site.settings());
  auto peer = rig.connect();
  const auto ask = [&](const std::string& request) {
    CHECK(rig.ask(*peer, request).starts_with("HTTP/1.1 "));
    const Logged entry = site.one();
    CHECK(entry.has_request);
    CHECK(entry.peer.starts_with("127.0.0.1:"));
    CHECK(entry.peer.size() > std::string_view("127.0.0.1:").size());
    CHECK(entry.version + entry.suite + entry.group == "");
    CHECK_FALSE(entry.resumed);
    CHECK(entry.first_byte >= microseconds(0));
    CHECK(entry.whole >= entry.first_byte);
    return entry;
  };
  const Logged hello = ask(get_request("/hello?q=1", "X-Agent: a test\r\n"));
  CHECK(line(hello) == "GET /hello?q=1 /hello 200 6");
  CHECK(hello.header == "a test");
  CHECK(line(ask("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n")) == "HEAD /hello /hello 200 0");
  CHECK(line(ask(get_request("/no%20where"))) == "GET /no%20where  404 16");
  CHECK(line(ask("ODD /hello HTTP/1.1\r\nHost: x\r\n\r\n")).starts_with("ODD /hello  501 "));
  CHECK(line(ask(get_request("/throws"))).starts_with("GET /throws /throws 500 "));
  CHECK(line(ask(get_request("/stream"))) == "GET /stream /stream 200 16");  // with its chunks' framing
  CHECK(line(ask("POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")) == "POST /up /up 200 0");
}

TEST_CASE("each of pipelined requests has its entry, in order") {
  LoggedSite site;
  Rig rig(site.settings());
  auto peer = rig.connect();
  (void)rig.ask(*peer, get_request("/hello?1") + get_request("/nowhere") + get_request("/hello?2"));
  REQUIRE(site.entries.size() == 3);
  CHECK(site.entries[0].target == "/hello?1");
  CHECK(site.entries[1].target == "/nowhere");
  CHECK(site.entries[2].target == "/hello?2");
}

TEST_CASE("a head that was refused has an entry without a request") {
  LoggedSite site;
  Rig rig(site.settings());
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
  const Logged refused = site.one();
  CHECK_FALSE(refused.has_request);
  CHECK(line(refused) == "   400 0");
  CHECK(refused.peer.starts_with("127.0.0.1:"));

  auto slow = rig.connect();
  CHECK(rig.ask(*slow, "GET / HTT").empty());
  rig.pass(10'001);
  CHECK(line(site.one()) == "   408 0");
}

TEST_CASE("an answer that is not wholly written has an entry that says so") {
  LoggedSite site;
  Rig rig(site.settings());
  auto peer = rig.connect();
  peer->send(get_request("/big"));
  rig.turns(50);
  CHECK(site.entries.empty());
  peer->reset();
  rig.turns(8);
  const Logged big = site.one();
  CHECK(line(big).starts_with("GET /big /big 200 "));
  CHECK_FALSE(big.complete);
  CHECK(big.bytes > 0);
  CHECK(big.bytes < 100'000'000);

  // None was made: no status.
  auto waiting = rig.connect();
  CHECK(rig.ask(*waiting, get_request("/later/a")).empty());
  waiting->reset();
  rig.turns();
  CHECK(line(site.one()) == "GET /later/a /later/{x} 0 0 aborted");
  auto uploading = rig.connect();
  CHECK(rig.ask(*uploading, "POST /up HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc").empty());
  uploading->reset();
  rig.turns();
  CHECK(line(site.one()) == "POST /up /up 0 0 aborted");
}

TEST_CASE("a late answer has its entry when it was sent, with its own status and octets") {
  LoggedSite site;
  Rig rig(site.settings());
  auto peer = rig.connect(), other = rig.connect();
  CHECK(rig.ask(*peer, get_request("/later/a?q", "X-Agent: late\r\n")).empty());
  CHECK(rig.ask(*other, get_request("/hello")).ends_with("hello\n"));
  CHECK(site.one().target == "/hello");
  site.take().text(status::created, "late\n");
  (void)rig.listen(*peer);
  const Logged late = site.one();
  CHECK(line(late) == "GET /later/a?q /later/{x} 201 5");
  CHECK(late.header == "late");
  CHECK(late.whole >= late.first_byte);
  CHECK(rig.ask(*peer, get_request("/later/b")).empty());
  site.waiting.clear();
  (void)rig.listen(*peer);
  CHECK(line(site.one()) == "GET /later/b /later/{x} 500 26");
}

TEST_CASE("over TLS an entry names version, suite and group") {
  LoggedSite site;
  Rig rig(site.tls());
  ClientOptions options;
  options.suites = {signet::tls::CipherSuite::chacha20_poly1305_sha256};
  options.groups = options.shares = {signet::tls::NamedGroup::secp256r1};
  TlsPeer first(rig), second(rig, options);
  first.exchange();
  second.exchange();
  CHECK(first.ask(get_request("/hello")).ends_with("hello\n"));
  Logged entry = site.one();
  CHECK(entry.version == "TLSv1.3");
  CHECK(entry.suite == "TLS_AES_128_GCM_SHA256");
  CHECK(entry.group == "x25519");
  CHECK(second.ask(get_request("/hello")).ends_with("hello\n"));
  entry = site.one();
  CHECK(entry.suite == "TLS_CHACHA20_POLY1305_SHA256");
  CHECK(entry.group == "secp256r1");
}

TEST_CASE("a log that throws is no reason not to answer") {
  Site site;
  site.hello();
  site.on_access = [](const http::AccessEntry&) { throw 1; };
  Rig rig(site.settings());
  auto peer = rig.connect();
  CHECK(rig.ask(*peer, get_request("/hello")).ends_with("hello\n"));
  CHECK(rig.ask(*peer, get_request("/hello")).ends_with("hello\n"));
}
