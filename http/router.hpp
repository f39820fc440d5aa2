// From a method and a path to the route and its hooks. Built at start-up; matching allocates in the request's
// region alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <signet/base/result.hpp>
#include <signet/http/pattern.hpp>
#include <signet/http/request.hpp>
#include <signet/http/route.hpp>

namespace signet::http {

/// What the router found for a request.
struct Match {
  enum class Kind : std::uint8_t {
    found,           ///< route and parameters are valid
    not_found,       ///< 404
    not_allowed,     ///< 405: the path exists, not for this method; allow is the Allow field's value
    options,         ///< OPTIONS on a path that has no route for it: allow is the answer
    unknown_method,  ///< 501 on every path: neither Beast nor a route names it; CONNECT if no route does
    bad_escape,      ///< 400: a '%' in the path that is not followed by two hexadecimal digits, or %00
    no_memory,       ///< 503: the region is exhausted
  };
  Kind kind = Kind::not_found;
  const Route* route = nullptr;  ///< null unless found
  std::string_view allow;
  std::span<const Parameter> parameters;
};

/// Paths are matched as they are written, by segments that are percent-decoded after the path was divided:
/// - nothing is rewritten before: "//" is an empty segment, which no parameter matches;
/// - the segments "." and "..", also when written with %2e, match nothing, so such a path is not found;
/// - "/a/" is another path than "/a";
/// - the value of a parameter can hold a '/' that came as %2F, and so "../x": make no file's name of it.
///
/// Routes and hooks may be registered in any order; freeze() brings them together.
class Router {
 public:
  static constexpr std::size_t most_segments = most_path_segments;

  Router();
  Router(Router&&) noexcept;
  Router& operator=(Router&&) noexcept;
  ~Router();

  /// Adds a route. A pattern is '/' and segments divided by '/': literal ones, and parameters, {name}, which
  /// match any one segment that is not empty. A literal segment goes before a parameter. Fails, with the
  /// reason, for a malformed pattern, an empty handler, and a route that exists already.
  [[nodiscard]] base::Result<void, std::string> add(verb method, std::string_view pattern, Handler handler,
                                                    RouteOptions options = {});
  /// As above, for any method: a token (RFC 9110 section 9.1), in which upper and lower case differ. Fails
  /// for what is no token, too.
  [[nodiscard]] base::Result<void, std::string> add(std::string_view method, std::string_view pattern,
                                                    Handler handler, RouteOptions options = {});
  /// As add(), for a route that takes the body as it comes. HEAD does not go to such a route of GET.
  [[nodiscard]] base::Result<void, std::string> add_upload(verb method, std::string_view pattern,
                                                           UploadHandler upload, RouteOptions options = {});
  [[nodiscard]] base::Result<void, std::string> add_upload(std::string_view method, std::string_view pattern,
                                                           UploadHandler upload, RouteOptions options = {});

  /// The route of every request for which there is no other, whatever its method and path; its pattern is
  /// "*". The last one counts; an empty one takes it away.
  void otherwise(Handler handler, RouteOptions options = {});

  /// Adds a hook for the routes whose pattern lies under `prefix` by whole segments: "/api" is for "/api" and
  /// "/api/x", not for "/apix". A parameter of the prefix stands for a parameter of the pattern, whatever the
  /// names: "/users/{id}" is for "/users/{who}/posts", not for "/users/me". "/" and "" are for all routes and
  /// for the requests that have none.
  ///
  /// The route's pattern alone decides, never the request's path, so no way of writing a path goes around a
  /// hook. For the same reason "/admin" is not for the route "/{section}/x", though "/admin/x" leads there.
  ///
  /// Fails, with the reason, for a malformed prefix, for one that ends with '/', and for an empty hook.
  [[nodiscard]] base::Result<void, std::string> before(std::string_view prefix, BeforeHook hook);
  [[nodiscard]] base::Result<void, std::string> after(std::string_view prefix, AfterHook hook);

  /// Gives each route its hooks. To be called once all is registered: a router that was changed since finds
  /// nothing (not_found), so that no handler is ever reached without its hooks.
  void freeze();

  /// HEAD goes to GET's handler where it has no route of its own. `method` is verb::unknown when Beast does
  /// not list `method_string`. Parameters are decoded into `region`. What it answers is valid until the
  /// router is changed or moved.
  [[nodiscard]] Match match(verb method, std::string_view method_string, std::string_view path,
                            base::Region& region) const noexcept;

  /// The hooks for a request that has no route (404, 405, 501, the automatic OPTIONS): those of all routes.
  [[nodiscard]] const Hooks& everywhere() const noexcept { return everywhere_; }

 private:
  struct Node;
  struct Walk;
  /// The methods of some routes, in order of registration.
  struct Methods {
    std::vector<std::string> named;
    bool head_by_get = false;
    void note(const Route& route);
    [[nodiscard]] bool has(std::string_view method) const noexcept;
    [[nodiscard]] std::string allow() const;
  };
  /// A hook, at a place that stays when the router is moved.
  template <class Hook>
  struct Registered {
    std::vector<std::string> prefix;
    std::unique_ptr<const Hook> hook;
  };

  [[nodiscard]] base::Result<void, std::string> add_route(Route route);
  void freeze(Node& node, std::vector<std::string>& segments);
  void give_hooks(Hooks& hooks, const std::vector<std::string>& segments) const;
  [[nodiscard]] static const Node* find(const Node& node, Walk& walk, std::size_t depth) noexcept;
  [[nodiscard]] Match match_routes(verb method, std::string_view method_string, std::string_view path,
                                   base::Region& region) const noexcept;

  bool frozen_ = false;
  std::unique_ptr<Node> root_;
  Methods methods_;          // of all routes
  std::string all_allowed_;  // the answer to OPTIONS *
  std::unique_ptr<Route> otherwise_;
  std::vector<Registered<BeforeHook>> before_;
  std::vector<Registered<AfterHook>> after_;
  Hooks everywhere_;
};

}  // namespace signet::http
