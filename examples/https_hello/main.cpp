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

/// The string "name" of an object, with its quotes and escapes; all of the object is read, so that a fault
/// behind it is found too.
simdjson::error_code find_name(signet::http::Json& json, std::string_view& name) {
  simdjson::ondemand::object object;
  if (const auto error = json.document().get_object().get(object)) return error;
  for (auto member : object) {
    std::string_view key;
    std::string_view token;
    if (const auto error = member.unescaped_key().get(key)) return error;
    if (key != "name") continue;
    if (const auto error = member.value().raw_json_token().get(token)) return error;
    if (!token.starts_with('"')) return simdjson::INCORRECT_TYPE;
    name = token.substr(0, token.rfind('"') + 1);
  }
  // A location that is out of bounds is the end of the document, and of the body.
  if (json.document().current_location().error() != simdjson::OUT_OF_BOUNDS)
    return simdjson::TRAILING_CONTENT;
  return name.empty() ? simdjson::NO_SUCH_FIELD : simdjson::SUCCESS;
}

/// {"name": "..."} becomes {"hello": "..."}.
void json(const Request& request, Response& response) {
  signet::http::Json json = request.json();
  std::string_view name;
  if (const auto error = find_name(json, name)) return signet::http::json_fault(response, json, error);
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
