// A route: what a method and a pattern lead to, and what runs before and after it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <signet/http/types.hpp>

namespace signet::http {

class Request;
class Response;
class Upload;

/// Answers a request whose body, if any, has arrived whole.
using Handler = std::function<void(const Request&, Response&)>;
/// Called for each piece of a body that is taken as it comes, and once with Upload::last().
using Receiver = std::function<void(Upload&, Response&)>;
/// Called when the head has arrived; answers who receives the body. The request stays valid until the
/// receiver's last call. An empty receiver: the response is the answer, and the body is not read.
using UploadHandler = std::function<Receiver(const Request&, Response&)>;
/// Runs before the handler. On false the response is the answer, and the handler is not called.
using BeforeHook = std::function<bool(const Request&, Response&)>;
/// Runs when the answer is made and its head is not yet written: it may add header fields.
using AfterHook = std::function<void(const Request&, Response&)>;

/// What a route wants that differs from the server's settings.
struct RouteOptions {
  std::optional<std::uint64_t> max_body_bytes;  ///< instead of the server's limit
  bool trailers = false;                        ///< trailer fields are kept, for request.trailers()
};

/// The hooks of a route, or of a request that has none, each in order of registration.
struct Hooks {
  std::vector<const BeforeHook*> before;
  std::vector<const AfterHook*> after;
};

/// Exactly one of handler and upload is set.
struct Route : Hooks {
  verb method = verb::unknown;     ///< verb::unknown for a method that Beast does not list
  std::string method_string;       ///< the method as a request writes it; "*" for any
  std::string pattern;             ///< as it was registered; "*" for the route of what has no other
  std::vector<std::string> names;  ///< of the parameters, in the path's order
  Handler handler;
  UploadHandler upload;
  RouteOptions options;
};

}  // namespace signet::http
