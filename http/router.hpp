// From a method and a path to the handler. Built at start-up; matching allocates in the request's region
// alone.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <signet/base/result.hpp>
#include <signet/http/request.hpp>
#include <signet/http/response.hpp>

namespace signet::http {

using Handler = std::function<void(const Request&, Response&)>;

/// What the router found for a request.
struct Match {
  enum class Kind : std::uint8_t {
    found,        ///< handler and parameters are valid
    not_found,    ///< 404
    not_allowed,  ///< 405: the path exists, not for this method; allow is the Allow field's value
    options,      ///< OPTIONS on a path that has no handler for it: allow is the answer
    bad_escape,   ///< 400: a '%' in the path that is not followed by two hexadecimal digits, or %00
    no_memory,    ///< 503: the region is exhausted
  };
  Kind kind = Kind::not_found;
  const Handler* handler = nullptr;
  std::string_view pattern;  ///< the route's, for logs and metrics
  std::string_view allow;
  std::span<const Parameter> parameters;
};

class Router {
 public:
  /// Path segments that are looked at; a longer path is not found.
  static constexpr std::size_t most_segments = 32;

  Router();
  Router(Router&&) noexcept;
  Router& operator=(Router&&) noexcept;
  ~Router();

  /// Adds a route. A pattern is '/' and segments divided by '/': literal ones, and parameters, {name}, which
  /// match any one segment that is not empty. A literal segment goes before a parameter. Fails, with the
  /// reason, for a malformed pattern and for a route that exists already.
  [[nodiscard]] base::Result<void, std::string> add(verb method, std::string_view pattern, Handler handler);
  /// The handler of every request for which there is no route, whatever its method.
  void otherwise(Handler handler) { otherwise_ = std::move(handler); }

  /// HEAD goes to GET's handler where it has none of its own. Parameters are decoded into `region`.
  [[nodiscard]] Match match(verb method, std::string_view path, base::Region& region) const noexcept;

 private:
  struct Node;
  struct Walk;
  [[nodiscard]] static const Node* find(const Node& node, Walk& walk, std::size_t depth) noexcept;
  [[nodiscard]] Match match_routes(verb method, std::string_view path, base::Region& region) const noexcept;
  void list_method(verb method);

  std::unique_ptr<Node> root_;
  std::vector<verb> methods_;  // of all routes
  std::string all_allowed_;    // the answer to OPTIONS *
  Handler otherwise_;
};

}  // namespace signet::http
