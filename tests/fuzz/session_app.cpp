#include <stdexcept>

#include <signet/http/json.hpp>
#include <signet/http/stream.hpp>
#include <signet/http/upload.hpp>
#include <signet/tests/fuzz/require.hpp>
#include <signet/tests/fuzz/session_app.hpp>

namespace signet::fuzz {
namespace {

using http::field;
using http::Request;
using http::Response;
using http::status;
using http::Stream;
using http::Upload;
using http::verb;

/// Counts what carries it.
struct Token {
  Token() { app_state().live++; }
  Token(const Token&) { app_state().live++; }
  Token& operator=(const Token&) = default;
  ~Token() { app_state().live--; }
};

std::size_t number(const Request& request, std::size_t most) {
  std::size_t n = 0;
  for (const char c : request.param("n")) n = (n * 10 + static_cast<unsigned char>(c)) % (most + 1);
  return n;
}

const std::string& many() {
  static const std::string octets(64 * 1024, 'x');
  return octets;
}

/// Reads all that a request says of itself.
void read_all(const Request& request) {
  AppState& state = app_state();
  for (const std::string_view text :
       {request.method_string(), request.target(), request.path(), request.query(), request.body()})
    state.hear(text);
  for (const auto& fields : {request.headers(), request.trailers()}) {
    for (const http::Header& header : fields) state.hear(header.name), state.hear(header.value);
  }
}

void answer_json(const Request& request, Response& response) {
  http::Json json = request.json();
  std::uint64_t value = 0;
  const auto error = json.document()["a"].get(value);
  if (error) return http::json_fault(response, json, error);
  response.json(status::ok, "{\"a\":", std::to_string(value), "}");
}

/// `pieces` pieces, waiting to be woken before each `rests`th.
http::StreamFunction stream_of(std::size_t pieces, std::size_t rests, bool fails) {
  return [=, left = pieces, token = Token(), rested = false](Stream& stream) mutable {
    while (left > 0) {
      if (rests != 0 && left % rests == 0 && !rested) {
        rested = true;
        app_state().wakers.push_back(stream.waker());
        return;
      }
      rested = false;
      if (fails && left == 1) throw std::runtime_error("a stream fails");
      left--;
      if (!stream.write(std::string_view(many()).substr(0, 3000))) return;
    }
    stream.end();
  };
}

/// Sums up; rests before every third piece when it is told so.
http::Receiver receiver_of(const Request& request, bool rests, bool late) {
  return [&request, rests, late, token = Token(), total = std::size_t{0}, calls = 0U](
             Upload& piece, Response& response) mutable {
    read_all(request);
    const bool rest = rests && ++calls % 3 == 1;
    const std::size_t taken = rest ? piece.data().size() / 2 : piece.data().size();
    app_state().hear(piece.data().substr(0, taken));
    total += taken;
    if (rest) {
      app_state().wakers.push_back(piece.waker());
      piece.wait_after(taken);
    }
    if (!piece.last() || (taken != piece.data().size())) return;
    if (late) return app_state().late.push_back(request.later());
    response.text(status::ok, std::to_string(total), "\n");
  };
}

void add_plain(http::Router& router, auto add) {
  add(verb::get, "/hello/{n}", [](const Request& request, Response& response) {
    read_all(request);
    response.text(status::ok, "hello ", request.param("n"), "\n");
  });
  add(verb::get, "/big/{n}", [](const Request& request, Response& response) {
    response.repeat(many(), number(request, 100) * 1000);
  });
  add(
      verb::post, "/echo",
      [](const Request& request, Response& response) {
        read_all(request);
        response.header("X-Trailers", std::to_string(request.trailers().size()));
        response.view(request.body());
      },
      http::RouteOptions{.max_body_bytes = {}, .trailers = true});
  add(
      verb::put, "/own",
      [](const Request& request, Response& response) { response.own(std::string(request.body())); },
      http::RouteOptions{.max_body_bytes = 500});
  add(verb::post, "/json", answer_json);
  add(verb::post, "/throw", [](const Request&, Response& response) {
    response.text(status::ok, "never seen");
    throw std::runtime_error("a handler fails");
  });
  add(verb::post, "/bad", [](const Request&, Response& response) { response.header("X", "a\r\nb"); });
  add(verb::get, "/empty", [](const Request&, Response& response) { response.status(status::no_content); });
  (void)router;
}

void add_streams(auto add) {
  add(verb::get, "/stream/{n}", [](const Request& request, Response& response) {
    response.stream(stream_of(number(request, 30), 0, false));
  });
  add(verb::get, "/rests/{n}", [](const Request& request, Response& response) {
    response.stream(stream_of(number(request, 9), 2, false));
  });
  add(verb::get, "/breaks/{n}", [](const Request& request, Response& response) {
    response.stream(stream_of(number(request, 9), 3, true));
  });
  add(verb::get, "/long/{n}", [](const Request& request, Response& response) {
    response.stream(9000, stream_of(number(request, 4), 2, false));
  });
  add(verb::get, "/late/{n}",
      [](const Request& request, Response&) { app_state().late.push_back(request.later()); });
  add(
      verb::post, "/late/{n}",
      [](const Request& request, Response&) {
        app_state().late.push_back(request.later());
        if (number(request, 9) == 3) throw std::runtime_error("a handler fails late");
      },
      http::RouteOptions{.max_body_bytes = {}, .trailers = true});
}

void add_uploads(http::Router& router) {
  const auto add = [&](std::string_view pattern, http::UploadHandler handler) {
    require(router.add_upload(verb::post, pattern, std::move(handler)).ok(), "a route is added");
  };
  add("/up", [](const Request& request, Response&) { return receiver_of(request, false, false); });
  add("/up/rests", [](const Request& request, Response&) { return receiver_of(request, true, false); });
  add("/up/late", [](const Request& request, Response&) { return receiver_of(request, true, true); });
  add("/up/json", [](const Request& request, Response& response) {
    answer_json(request, response);
    return http::Receiver();
  });
  add("/up/stops", [](const Request&, Response&) {
    return [token = Token()](Upload& piece, Response& response) {
      response.text(status::ok, "enough\n");
      piece.stop();
    };
  });
  add("/up/throws", [](const Request& request, Response&) {
    if (request.query() == "now") throw std::runtime_error("an upload fails");
    return [token = Token()](Upload& piece, Response&) {
      if (piece.last()) throw std::runtime_error("a receiver fails");
    };
  });
  add("/up/early", [](const Request& request, Response&) {
    app_state().late.push_back(request.later());
    if (request.query() == "none") return http::Receiver();
    return http::Receiver([token = Token()](Upload&, Response&) {});
  });
}

void add_hooks(http::Router& router) {
  const auto before = [&](std::string_view prefix, http::BeforeHook hook) {
    require(router.before(prefix, std::move(hook)).ok(), "a hook is added");
  };
  const auto after = [&](std::string_view prefix, http::AfterHook hook) {
    require(router.after(prefix, std::move(hook)).ok(), "a hook is added");
  };
  before("/", [](const Request& request, Response&) {
    read_all(request);
    return true;
  });
  before("/hello", [](const Request& request, Response& response) {
    if (request.query() == "throw") throw std::runtime_error("a hook fails");
    if (request.query() == "json") answer_json(request, response);
    if (request.query() == "no") response.text(status::forbidden, "no\n");
    return request.query() != "no" && request.query() != "json";
  });
  after("/", [](const Request& request, Response& response) {
    read_all(request);
    response.header("X-Method", request.method_string());
    if (request.query() == "after") (void)request.json().document().error();
  });
}

http::Router routes() {
  http::Router router;
  const auto add = [&](verb method, std::string_view pattern, http::Handler handler,
                       http::RouteOptions options = {}) {
    require(router.add(method, pattern, std::move(handler), options).ok(), "a route is added");
  };
  add_plain(router, add);
  add_streams(add);
  add_uploads(router);
  add_hooks(router);
  return router;
}

void on_error(const Request& request, std::string_view what) {
  for (const std::string_view text : {request.method_string(), request.target(), request.path(), what})
    app_state().hear(text);
}

void on_access(const http::AccessEntry& entry) {
  for (const std::string_view text : {entry.method, entry.target, entry.pattern, entry.peer})
    app_state().hear(text);
}

}  // namespace

AppState& app_state() {
  static AppState state;
  return state;
}

const http::Dispatcher& app_dispatcher(bool logs_access) {
  static const http::Dispatcher quiet(routes(), on_error, nullptr);
  static const http::Dispatcher logging(routes(), on_error, on_access);
  return logs_access ? logging : quiet;
}

const std::vector<std::string>& app_requests() {
  const auto request = [](std::string_view line, std::string_view rest) {
    return std::string(line) + " HTTP/1.1\r\nHost: a\r\n" + std::string(rest);
  };
  const auto chunked = [&](std::string_view target, std::string_view body) {
    return request(std::string("POST ") + std::string(target),
                   std::string("Transfer-Encoding: chunked\r\n\r\n") + std::string(body));
  };
  static const std::vector<std::string> all = {
      request("GET /hello/b", "\r\n"),
      request("HEAD /hello/b?after", "\r\n"),
      request("GET /hello/b?no", "Connection: close\r\n\r\n"),
      request("GET /hello/b?json", "\r\n"),
      request("GET /hello/b?throw", "\r\n"),
      request("GET /big/90", "\r\n"),
      request("GET /stream/25", "\r\n"),
      request("GET /rests/5", "\r\n"),
      request("HEAD /rests/5", "\r\n"),
      request("GET /breaks/4", "\r\n"),
      request("GET /long/3", "\r\n"),
      request("GET /long/4?after", "\r\n"),
      request("GET /late/1", "\r\n"),
      "GET /stream/4 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
      "GET /hello/old HTTP/1.0\r\n\r\n",
      request("OPTIONS *", "\r\n"),
      request("GET /nothing", "Content-Length: 3\r\n\r\nabc"),
      request("POST /echo", "Content-Length: 5\r\n\r\nhello"),
      request("POST /echo?after", "Content-Length: 40000\r\n\r\n"),
      request("POST /echo", "Content-Length: 20000\r\nExpect: 100-continue\r\n\r\n"),
      request("PUT /own", "Content-Length: 500\r\n\r\n"),
      request("PUT /own", "Transfer-Encoding: chunked\r\n\r\n1ff\r\n"),
      request("POST /json", "Content-Length: 7\r\n\r\n{\"a\":1}"),
      chunked("/json", "0\r\n\r\n"),
      chunked("/json", "3;a=b\r\n{\"a\r\n4\r\n\":7}\r\n0\r\n\r\n"),
      chunked("/echo", "5\r\nhello\r\n0\r\nX: y\r\nHost: b\r\n\r\n"),
      chunked("/up/rests", "1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n4\r\nghij\r\n0\r\n\r\n"),
      chunked("/up/late", "5\r\nhello\r\n"),
      "0\r\n\r\n",
      request("POST /up", "Content-Length: 50000\r\n\r\n"),
      request("POST /up", "Content-Length: 0\r\n\r\n"),
      request("POST /up/rests", "Content-Length: 9\r\n\r\n123456789"),
      request("POST /up/json", "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n"),
      request("POST /up/stops", "Content-Length: 9\r\n\r\n1234"),
      request("POST /up/throws", "Content-Length: 4\r\n\r\n1234"),
      request("POST /up/early", "Content-Length: 4\r\n\r\n12"),
      request("POST /up/early?none", "Content-Length: 4\r\n\r\n12"),
      request("POST /late/3", "Content-Length: 2\r\n\r\n12"),
      chunked("/late/4", "2\r\n12\r\n0\r\nX: y\r\n\r\n"),
      request("POST /throw", "\r\n"),
      request("POST /bad", "Content-Length: 1\r\n\r\na"),
      request("GET /empty", "\r\n"),
      request("GET /hello/b", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
  };
  return all;
}

}  // namespace signet::fuzz
