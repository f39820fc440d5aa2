// Answers any method and any target with 200 and the request's own body, and says what it saw in X-Method and
// X-Target: what tests from outside compare with what they sent. A request with "X-Late: 50" is answered so
// many milliseconds later, by another thread.
#include <charconv>
#include <chrono>

#include <signet/signet.hpp>
#include <signet/tests/support/later.hpp>

namespace {

using signet::field;
using signet::Request;
using signet::Response;

void echo(const Request& request, Response& response) {
  response.header("X-Method", request.method_string());
  response.header("X-Target", request.target());
  response.header(field::content_type, "application/octet-stream");
  response.view(request.body());
}

std::chrono::milliseconds lateness(const Request& request) {
  const std::string_view text = request.header("X-Late");
  unsigned milliseconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), milliseconds);
  return std::chrono::milliseconds(milliseconds);
}

}  // namespace

int main(int argc, char** argv) {
  signet::Options options;
  if (const auto code = options.parse(argc, argv, "Answers requests with what it saw of them")) return *code;
  signet::test::Later later;
  signet::App app;
  app.any_host();
  app.otherwise([&later](const Request& request, Response& response) {
    if (!request.has("X-Late")) return echo(request, response);
    later.after(lateness(request), [responder = request.later()]() mutable {
      echo(responder.request(), responder.response());
      responder.send();
    });
  });
  return app.run(options);
}
