#include <exception>

#include <signet/http/dispatch.hpp>

namespace signet::http {
namespace {

using http::status;

void answer_options(Response& response, std::string_view allow) noexcept {
  response.status(status::no_content);
  response.header(field::allow, allow);
}

void answer_not_allowed(Response& response, std::string_view allow) noexcept {
  response.header(field::allow, allow);
  response.text(status::method_not_allowed, "this path does not have this method: see Allow\n");
}

/// The answer where no handler is called.
void answer_without_handler(const Match& match, Response& response) noexcept {
  switch (match.kind) {
    case Match::Kind::unknown_method:
      response.text(status::not_implemented, "this method is not implemented\n");
      return;
    case Match::Kind::not_allowed:
      return answer_not_allowed(response, match.allow);
    case Match::Kind::options:
      return answer_options(response, match.allow);
    case Match::Kind::bad_escape:
      response.text(status::bad_request, "a malformed percent escape in the path\n");
      return;
    case Match::Kind::no_memory:
      response.text(status::service_unavailable, "out of memory\n");
      return;
    default:
      response.text(status::not_found, "nothing is here\n");
  }
}

}  // namespace

std::string_view Dispatcher::dispatch(Request& request, Response& response) const noexcept {
  const Match match =
      router_.match(request.method(), request.method_string(), request.path(), request.region());
  if (match.kind == Match::Kind::found) {
    request.set_parameters(match.parameters);
    call(match.route->handler, request, response);
    request.unpad();
  } else {
    answer_without_handler(match, response);
  }
  response.finish();
  if (!response.fault().empty()) report(request, response.fault());
  return match.route == nullptr ? std::string_view() : match.route->pattern;
}

void Dispatcher::call(const Handler& handler, const Request& request, Response& response) const noexcept {
  constexpr std::string_view answer = "the server failed at this request";
  try {
    handler(request, response);
  } catch (const std::exception& error) {
    response.reset_to_error(status::internal_server_error, answer);
    report(request, error.what());
  } catch (...) {
    response.reset_to_error(status::internal_server_error, answer);
    report(request, "an exception that is no std::exception");
  }
}

void Dispatcher::report(const Request& request, std::string_view what) const noexcept {
  if (!on_error_) return;
  try {
    on_error_(request, what);
  } catch (...) {  // the log failed: the answer goes out all the same
  }
}

}  // namespace signet::http
