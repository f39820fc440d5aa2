// A small HTTPS service: greetings, a large answer, an echo and JSON.
#include <array>
#include <charconv>
#include <cstdint>

#include <signet/http/json.hpp>
#include <signet/signet.hpp>

namespace {

using signet::field;
using signet::Request;
using signet::Response;
using signet::status;

constexpr std::string_view page =
    "<!doctype html>\n"
    "<html lang=\"en\">\n"
    "<meta charset=\"utf-8\">\n"
    "<title>Signet</title>\n"
    "<h1>Signet serves this page</h1>\n"
    "<p>Try <a href=\"/hello/world\">/hello/world</a> or <a href=\"/big/100000\">/big/100000</a>.</p>\n"
    "</html>\n";

constexpr std::uint64_t most_big_bytes = std::uint64_t{1} << 30;

constexpr auto many_x = [] {
  std::array<char, 64 * 1024> octets{};
  octets.fill('x');
  return octets;
}();

void home(const Request&, Response& response) {
  response.header(field::content_type, "text/html; charset=utf-8");
  response.view(page);
}

void hello(const Request& request, Response& response) {
  response.text(status::ok, "hello ", request.param("name"), "\n");
}

/// n octets of x, sealed from one static buffer again and again.
void big(const Request& request, Response& response) {
  const std::string_view text = request.param("n");
  std::uint64_t n = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (fault != std::errc() || end != text.data() + text.size() || n > most_big_bytes) {
    response.text(status::bad_request, "a number of octets up to 1073741824 is wanted\n");
    return;
  }
  response.header(field::content_type, "application/octet-stream");
  response.repeat({many_x.data(), many_x.size()}, n);
}

/// The body, from where it was received.
void echo(const Request& request, Response& response) {
  const std::string_view type = request.header(field::content_type);
  response.header(field::content_type, type.empty() ? "application/octet-stream" : type);
  response.view(request.body());
}

/// {"name": "..."} becomes {"hello": "..."}; the name keeps its escapes.
void json(const Request& request, Response& response) {
  signet::http::Json json = request.json();
  std::string_view name;
  simdjson::ondemand::object object;
  auto error = json.document().get_object().get(object);
  if (!error) error = object["name"].raw_json_token().get(name);
  if (!error && !name.starts_with('"')) error = simdjson::INCORRECT_TYPE;
  if (error) return signet::http::json_fault(response, json, error);
  name = name.substr(0, name.rfind('"') + 1);
  response.json(status::ok, "{\"hello\":", name, "}\n");
}

}  // namespace

int main(int argc, char** argv) {
  signet::Options options;
  if (const auto code = options.parse(argc, argv, "A small HTTPS service")) return *code;
  signet::App app;
  app.get("/", home);
  app.get("/hello/{name}", hello);
  app.get("/big/{n}", big);
  app.post("/echo", echo);
  app.post("/json", json);
  return app.run(options);
}
