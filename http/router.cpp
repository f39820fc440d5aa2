#include <algorithm>
#include <array>

#include <signet/http/ascii.hpp>
#include <signet/http/percent.hpp>
#include <signet/http/router.hpp>

namespace signet::http {
namespace {

using boost::beast::http::string_to_verb;
using boost::beast::http::to_string;

Route route_of(std::string_view method, std::string_view pattern, RouteOptions options) {
  Route route;
  route.method = string_to_verb({method.data(), method.size()});
  route.method_string = method;
  route.pattern = pattern;
  route.options = options;
  return route;
}

/// Empty, and so refused, for verb::unknown.
std::string name_of(verb method) {
  return method == verb::unknown ? std::string() : std::string(to_string(method));
}

template <class Hook, class List>
base::Result<void, std::string> add_hook(std::string_view prefix, Hook hook, List& list) {
  const auto refuse = [&](std::string_view why) {
    return "hook of " + std::string(prefix) + ": " + std::string(why);
  };
  if (!hook) return refuse("no function");
  auto segments = parse_prefix(prefix);
  if (!segments) return refuse(segments.error());
  list.push_back({std::move(*segments), std::make_unique<const Hook>(std::move(hook))});
  return {};
}

}  // namespace

/// A place in the tree of segments.
struct Router::Node {
  using Literal = std::pair<std::string, std::unique_ptr<Node>>;

  std::vector<Literal> literals;  // in order of their names
  std::unique_ptr<Node> parameter;
  std::vector<Route> routes;
  Methods methods;
  std::string allow;

  [[nodiscard]] std::size_t place_of(std::string_view segment) const noexcept {
    const auto before = [](const Literal& literal, std::string_view name) { return literal.first < name; };
    const auto place = std::lower_bound(literals.begin(), literals.end(), segment, before);
    return static_cast<std::size_t>(place - literals.begin());
  }

  [[nodiscard]] const Node* literal(std::string_view segment) const noexcept {
    const std::size_t place = place_of(segment);
    return place < literals.size() && literals[place].first == segment ? literals[place].second.get()
                                                                       : nullptr;
  }

  [[nodiscard]] const Route* named(verb method, std::string_view method_string) const noexcept {
    for (const Route& route : routes) {
      if (route.method != method) continue;
      if (method != verb::unknown || route.method_string == method_string) return &route;
    }
    return nullptr;
  }

  [[nodiscard]] const Route* route(verb method, std::string_view method_string) const noexcept {
    const Route* own = named(method, method_string);
    if (own != nullptr || method != verb::head) return own;
    const Route* get = named(verb::get, "GET");
    return get != nullptr && get->handler ? get : nullptr;
  }

  /// The node below for a pattern's segment, made if need be.
  Node& below(const std::string& segment) {
    if (segment == any_segment) {
      if (!parameter) parameter = std::make_unique<Node>();
      return *parameter;
    }
    const std::size_t place = place_of(segment);
    if (place == literals.size() || literals[place].first != segment) {
      literals.emplace(literals.begin() + static_cast<std::ptrdiff_t>(place), segment,
                       std::make_unique<Node>());
    }
    return *literals[place].second;
  }
};

/// A path's segments, and of those the ones that parameters took on the way.
struct Router::Walk {
  std::array<std::string_view, most_segments> segments;
  std::array<std::string_view, most_segments> values;
  std::size_t segment_count = 0;
  std::size_t value_count = 0;

  /// Divides and decodes the path; not `done` or false when it cannot match.
  [[nodiscard]] bool divide(std::string_view path, base::Region& region, Decoding& decoding) noexcept {
    if (!path.starts_with('/')) return false;
    while (!path.empty()) {
      if (segment_count == most_segments) return false;
      std::string_view segment = take_segment(path);
      decoding = percent_decode(segment, region);
      if (decoding != Decoding::done || is_dot_segment(segment)) return false;
      segments[segment_count++] = segment;
    }
    return true;
  }
};

Router::Router() : root_(std::make_unique<Node>()) {}
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;
Router::~Router() = default;

base::Result<void, std::string> Router::add(verb method, std::string_view pattern, Handler handler,
                                            RouteOptions options) {
  return add(name_of(method), pattern, std::move(handler), options);
}

base::Result<void, std::string> Router::add(std::string_view method, std::string_view pattern,
                                            Handler handler, RouteOptions options) {
  Route route = route_of(method, pattern, options);
  route.handler = std::move(handler);
  return add_route(std::move(route));
}

base::Result<void, std::string> Router::add_upload(verb method, std::string_view pattern,
                                                   UploadHandler upload, RouteOptions options) {
  return add_upload(name_of(method), pattern, std::move(upload), options);
}

base::Result<void, std::string> Router::add_upload(std::string_view method, std::string_view pattern,
                                                   UploadHandler upload, RouteOptions options) {
  Route route = route_of(method, pattern, options);
  route.upload = std::move(upload);
  return add_route(std::move(route));
}

base::Result<void, std::string> Router::add_route(Route route) {
  const auto refuse = [&](std::string_view why) {
    return "route " + route.pattern + ": " + std::string(why);
  };
  if (route.method_string.empty()) return refuse("no method");
  if (!is_token(route.method_string)) return refuse("the method is no token");
  if (!route.handler && !route.upload) return refuse("no handler");
  auto pattern = parse_pattern(route.pattern);
  if (!pattern) return refuse(pattern.error());
  route.names = std::move(pattern->names);
  Node* node = root_.get();
  for (const std::string& segment : pattern->segments) node = &node->below(segment);
  if (const Route* other = node->named(route.method, route.method_string)) {
    return refuse("the same as " + other->pattern);
  }
  frozen_ = false;
  node->methods.note(route);
  methods_.note(route);
  node->routes.push_back(std::move(route));
  return {};
}

void Router::otherwise(Handler handler, RouteOptions options) {
  frozen_ = false;
  otherwise_ = handler ? std::make_unique<Route>(route_of("*", "*", options)) : nullptr;
  if (otherwise_) otherwise_->handler = std::move(handler);
}

base::Result<void, std::string> Router::before(std::string_view prefix, BeforeHook hook) {
  frozen_ = false;
  return add_hook(prefix, std::move(hook), before_);
}

base::Result<void, std::string> Router::after(std::string_view prefix, AfterHook hook) {
  frozen_ = false;
  return add_hook(prefix, std::move(hook), after_);
}

void Router::Methods::note(const Route& route) {
  if (!has(route.method_string)) named.push_back(route.method_string);
  if (route.method == verb::get && route.handler) head_by_get = true;
}

bool Router::Methods::has(std::string_view method) const noexcept {
  return std::find(named.begin(), named.end(), method) != named.end();
}

/// Allow's value: HEAD comes with GET's handler, and OPTIONS is always answered.
std::string Router::Methods::allow() const {
  std::string list;
  for (const std::string& method : named) list += method + ", ";
  if (head_by_get && !has("HEAD")) list += "HEAD, ";
  if (!has("OPTIONS")) list += "OPTIONS, ";
  list.resize(list.size() - 2);
  return list;
}

void Router::freeze() {
  std::vector<std::string> segments;
  give_hooks(everywhere_, segments);
  if (otherwise_) give_hooks(*otherwise_, segments);
  freeze(*root_, segments);
  all_allowed_ = methods_.allow();
  frozen_ = true;
}

/// For the node that `segments` lead to, and those below.
void Router::freeze(Node& node, std::vector<std::string>& segments) {
  node.allow = node.methods.allow();
  for (Route& route : node.routes) give_hooks(route, segments);
  const auto go_on = [&](Node& below, std::string_view segment) {
    segments.emplace_back(segment);
    freeze(below, segments);
    segments.pop_back();
  };
  for (const auto& [name, below] : node.literals) go_on(*below, name);
  if (node.parameter) go_on(*node.parameter, any_segment);
}

void Router::give_hooks(Hooks& hooks, const std::vector<std::string>& segments) const {
  hooks = {};
  for (const auto& each : before_) {
    if (covers(each.prefix, segments)) hooks.before.push_back(each.hook.get());
  }
  for (const auto& each : after_) {
    if (covers(each.prefix, segments)) hooks.after.push_back(each.hook.get());
  }
}

/// The node that all segments lead to and that has routes: the literal way first, then the parameter's.
const Router::Node* Router::find(const Node& node, Walk& walk, std::size_t depth) noexcept {
  if (depth == walk.segment_count) return node.routes.empty() ? nullptr : &node;
  const std::string_view segment = walk.segments[depth];
  if (const Node* literal = node.literal(segment)) {
    if (const Node* found = find(*literal, walk, depth + 1)) return found;
  }
  if (!node.parameter || segment.empty()) return nullptr;
  walk.values[walk.value_count++] = segment;
  if (const Node* found = find(*node.parameter, walk, depth + 1)) return found;
  walk.value_count--;
  return nullptr;
}

Match Router::match(verb method, std::string_view method_string, std::string_view path,
                    base::Region& region) const noexcept {
  if (!frozen_) return {};
  const Match match = match_routes(method, method_string, path, region);
  if (match.kind == Match::Kind::found || match.kind == Match::Kind::no_memory || !otherwise_) return match;
  return {Match::Kind::found, otherwise_.get(), {}, {}};
}

Match Router::match_routes(verb method, std::string_view method_string, std::string_view path,
                           base::Region& region) const noexcept {
  using Kind = Match::Kind;
  const bool unusual = method == verb::unknown || method == verb::connect;
  if (unusual && !methods_.has(method_string)) return {Kind::unknown_method, nullptr, {}, {}};
  if (path == "*") return {Kind::options, nullptr, all_allowed_, {}};
  Walk walk;
  Decoding decoding = Decoding::done;
  if (!walk.divide(path, region, decoding)) {
    if (decoding == Decoding::no_memory) return {Kind::no_memory, nullptr, {}, {}};
    return {decoding == Decoding::bad_escape ? Kind::bad_escape : Kind::not_found, nullptr, {}, {}};
  }
  const Node* node = find(*root_, walk, 0);
  if (node == nullptr) return {Kind::not_found, nullptr, {}, {}};
  const Route* route = node->route(method, method_string);
  if (route == nullptr) {
    return {method == verb::options ? Kind::options : Kind::not_allowed, nullptr, node->allow, {}};
  }
  auto* parameters = region.make_array<Parameter>(walk.value_count);
  if (parameters == nullptr) return {Kind::no_memory, nullptr, {}, {}};
  for (std::size_t i = 0; i < walk.value_count; ++i) parameters[i] = {route->names[i], walk.values[i]};
  return {Kind::found, route, node->allow, {parameters, walk.value_count}};
}

}  // namespace signet::http
