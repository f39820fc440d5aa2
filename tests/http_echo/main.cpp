// Answers any method and any target with 200 and the request's own body, and says what it saw in X-Method and X-Target:
// what tests from outside compare with what they sent.
#include <signet/signet.hpp>

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

}  // namespace

int main(int argc, char** argv) {
  signet::Options options;
  if (const auto code = options.parse(argc, argv, "Answers requests with what it saw of them")) return *code;
  signet::App app;
  app.otherwise(echo);
  return app.run(options);
}
