#include <exception>
#include <new>

#include <signet/http/dispatch.hpp>

namespace signet::http {
namespace {

constexpr std::string_view out_of_memory = "out of memory";

/// Runs `call`; false when it raised an exception, whose text `on_exception` is given.
template <class Call, class OnException>
bool caught(Call&& call, OnException&& on_exception) noexcept {
  try {
    call();
    return true;
  } catch (const std::bad_alloc&) {
    on_exception(out_of_memory);
  } catch (const std::exception& error) {
    on_exception(error.what());
  } catch (...) {
    on_exception("an exception that is no std::exception");
  }
  return false;
}

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

Dispatcher::Dispatcher(Router router, ErrorCallback on_error, AccessCallback on_access)
    : router_(std::move(router)), on_error_(std::move(on_error)), on_access_(std::move(on_access)) {
  router_.freeze();
}

const Hooks& Dispatcher::hooks_of(const Route* route) const noexcept {
  return route == nullptr ? router_.everywhere() : *route;
}

Dispatcher::Begun Dispatcher::begin(Request& request, Response& response) const noexcept {
  using Next = Begun::Next;
  const Match match =
      router_.match(request.method(), request.method_string(), request.path(), request.region());
  const Route* route = match.route;
  const Hooks& hooks = hooks_of(route);
  request.set_parameters(match.parameters);
  response.hold_head(true);  // a hook that lets the request pass has not answered it
  bool passes = true;
  const auto run = [&] {
    for (const BeforeHook* hook : hooks.before) {
      if (!(passes = (*hook)(request, response))) return;
    }
  };
  if (!caught(run, [&](std::string_view what) { fail(request, response, what); }) || !passes)
    return {Next::answered, route};
  request.answer_now();  // a hook that lets the request pass answers neither now nor later
  response.discard();
  response.hold_head(!hooks.after.empty());
  if (route != nullptr) return {route->upload ? Next::upload : Next::handler, route};
  answer_without_handler(match, response);
  return {Next::answered, nullptr};
}

void Dispatcher::call(const Route& route, const Request& request, Response& response) const noexcept {
  (void)caught([&] { route.handler(request, response); },
               [&](std::string_view what) { fail(request, response, what); });
  request.unpad();
}

Receiver Dispatcher::open(const Route& route, const Request& request, Response& response) const noexcept {
  Receiver receiver;
  (void)caught([&] { receiver = route.upload(request, response); },
               [&](std::string_view what) { fail(request, response, what); });
  return receiver;
}

bool Dispatcher::receive(const Receiver& receiver, Upload& piece, const Request& request,
                         Response& response) const noexcept {
  return caught([&] { receiver(piece, response); },
                [&](std::string_view what) { fail(request, response, what); });
}

void Dispatcher::finish(const Route* route, const Request& request, Response& response) const noexcept {
  const std::vector<const AfterHook*>& after = hooks_of(route).after;
  const auto run = [&] {
    response.hold_head(true);
    response.replace_if_failed();  // the hooks see the answer that is sent, and what they add goes with it
    for (const AfterHook* hook : after) (*hook)(request, response);
  };
  if (!after.empty()) (void)caught(run, [&](std::string_view what) { fail(request, response, what); });
  response.finish();
  if (!response.fault().empty()) report(request, response.fault());
  request.unpad();  // a hook may have read the body as JSON
}

void Dispatcher::fail(const Request& request, Response& response, std::string_view what) const noexcept {
  request.answer_now();
  if (what.data() == out_of_memory.data()) {
    response.reset_to_error(status::service_unavailable, "no memory for the request now");
  } else {
    response.reset_to_error(status::internal_server_error, "the server failed at this request");
  }
  report(request, what);
}

// A log that fails is no reason not to answer.
void Dispatcher::report(const Request& request, std::string_view what) const noexcept {
  if (on_error_) (void)caught([&] { on_error_(request, what); }, [](std::string_view) {});
}

void Dispatcher::log_access(const AccessEntry& entry) const noexcept {
  if (on_access_) (void)caught([&] { on_access_(entry); }, [](std::string_view) {});
}

bool call_caught(const StreamFunction& function, Stream& stream, std::string& fault) noexcept {
  const auto keep = [&](std::string_view what) {
    (void)caught([&] { fault = what; }, [](std::string_view) {});  // without memory it stays empty
  };
  return caught([&] { function(stream); }, keep);
}

}  // namespace signet::http
