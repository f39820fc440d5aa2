#include <algorithm>
#include <array>

#include <signet/http/percent.hpp>
#include <signet/http/router.hpp>

namespace signet::http {
namespace {

struct Route {
  verb method;
  std::string pattern;
  std::vector<std::string> names;  // of the parameters, in the path's order
  Handler handler;
};

bool is_parameter(std::string_view segment) noexcept { return segment.starts_with('{'); }

/// Takes the first segment off `path`, which begins with its '/'.
std::string_view take_segment(std::string_view& path) noexcept {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

/// Allow's value: HEAD comes with GET, and OPTIONS is always answered.
std::string allowed(const std::vector<verb>& methods) {
  const auto has = [&](verb method) {
    return std::find(methods.begin(), methods.end(), method) != methods.end();
  };
  std::string list;
  for (const verb method : methods) list += std::string(boost::beast::http::to_string(method)) + ", ";
  if (has(verb::get) && !has(verb::head)) list += "HEAD, ";
  if (!has(verb::options)) list += "OPTIONS, ";
  list.resize(list.size() - 2);
  return list;
}

/// Why `segment` cannot be in a pattern; empty when it can.
std::string_view fault_of_segment(std::string_view segment, const std::vector<std::string>& names) {
  if (!is_parameter(segment)) {
    return segment.find_first_of("{}%?#") == std::string_view::npos ? ""
                                                                    : "one of {}%?# in a literal segment";
  }
  const std::string_view name = segment.substr(1, segment.size() - 2);
  if (!segment.ends_with('}') || name.empty()) return "a parameter is written {name}";
  if (name.find_first_of("{}") != std::string_view::npos) return "a parameter is written {name}";
  if (std::find(names.begin(), names.end(), name) != names.end()) return "a parameter's name comes twice";
  return "";
}

}  // namespace

/// A place in the tree of segments.
struct Router::Node {
  std::vector<std::pair<std::string, std::unique_ptr<Node>>> literals;
  std::unique_ptr<Node> parameter;
  std::vector<Route> routes;
  std::string allow;

  [[nodiscard]] const Node* literal(std::string_view segment) const noexcept {
    for (const auto& [name, node] : literals) {
      if (name == segment) return node.get();
    }
    return nullptr;
  }

  [[nodiscard]] const Route* route(verb method) const noexcept {
    for (const Route& route : routes) {
      if (route.method == method) return &route;
    }
    return method == verb::head ? this->route(verb::get) : nullptr;
  }

  /// The node below for a pattern's segment, made if need be.
  Node& below(std::string_view segment) {
    if (is_parameter(segment)) {
      if (!parameter) parameter = std::make_unique<Node>();
      return *parameter;
    }
    if (const Node* found = literal(segment)) return const_cast<Node&>(*found);
    return *literals.emplace_back(segment, std::make_unique<Node>()).second;
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
      if (decoding != Decoding::done) return false;
      segments[segment_count++] = segment;
    }
    return true;
  }
};

Router::Router() : root_(std::make_unique<Node>()) {}
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;
Router::~Router() = default;

base::Result<void, std::string> Router::add(verb method, std::string_view pattern, Handler handler) {
  const auto refuse = [&](std::string_view why) {
    return "route " + std::string(pattern) + ": " + std::string(why);
  };
  if (method == verb::unknown) return refuse("no method");
  if (!pattern.starts_with('/')) return refuse("a pattern begins with '/'");
  if (!handler) return refuse("no handler");
  Route route{method, std::string(pattern), {}, std::move(handler)};
  Node* node = root_.get();
  std::size_t depth = 0;
  for (std::string_view rest = pattern; !rest.empty();) {
    const std::string_view segment = take_segment(rest);
    const std::string_view fault = fault_of_segment(segment, route.names);
    if (!fault.empty()) return refuse(fault);
    if (++depth > most_segments) return refuse("too many segments");
    if (is_parameter(segment)) route.names.emplace_back(segment.substr(1, segment.size() - 2));
    node = &node->below(segment);
  }
  for (const Route& other : node->routes) {
    if (other.method == method) return refuse("the same as " + other.pattern);
  }
  node->routes.push_back(std::move(route));
  std::vector<verb> methods;
  for (const Route& each : node->routes) methods.push_back(each.method);
  node->allow = allowed(methods);
  list_method(method);
  return {};
}

void Router::list_method(verb method) {
  if (std::find(methods_.begin(), methods_.end(), method) == methods_.end()) methods_.push_back(method);
  all_allowed_ = allowed(methods_);
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

Match Router::match(verb method, std::string_view path, base::Region& region) const noexcept {
  const Match match = match_routes(method, path, region);
  if (match.kind == Match::Kind::found || match.kind == Match::Kind::no_memory || !otherwise_) return match;
  return {Match::Kind::found, &otherwise_, "*", {}, {}};
}

Match Router::match_routes(verb method, std::string_view path, base::Region& region) const noexcept {
  using Kind = Match::Kind;
  if (path == "*") return {Kind::options, nullptr, {}, all_allowed_, {}};
  Walk walk;
  Decoding decoding = Decoding::done;
  if (!walk.divide(path, region, decoding)) {
    if (decoding == Decoding::no_memory) return {Kind::no_memory, nullptr, {}, {}, {}};
    return {decoding == Decoding::bad_escape ? Kind::bad_escape : Kind::not_found, nullptr, {}, {}, {}};
  }
  const Node* node = find(*root_, walk, 0);
  if (node == nullptr) return {Kind::not_found, nullptr, {}, {}, {}};
  const Route* route = node->route(method);
  if (route == nullptr) {
    return {method == verb::options ? Kind::options : Kind::not_allowed, nullptr, {}, node->allow, {}};
  }
  auto* parameters = region.make_array<Parameter>(walk.value_count);
  if (parameters == nullptr) return {Kind::no_memory, nullptr, {}, {}, {}};
  for (std::size_t i = 0; i < walk.value_count; ++i) parameters[i] = {route->names[i], walk.values[i]};
  return {Kind::found, &route->handler, route->pattern, node->allow, {parameters, walk.value_count}};
}

}  // namespace signet::http
