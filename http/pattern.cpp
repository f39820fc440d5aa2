#include <algorithm>

#include <signet/http/pattern.hpp>

namespace signet::http {
namespace {

/// Why `segment` cannot be a literal one; empty when it can.
std::string_view fault_of_literal(std::string_view segment) {
  if (is_dot_segment(segment)) return "a segment . or .. matches nothing";
  if (segment.find_first_of("{}%?#") != std::string_view::npos) return "one of {}%?# in a literal segment";
  return "";
}

/// Why `segment` cannot be a parameter behind those of `names`; empty when it can.
std::string_view fault_of_parameter(std::string_view segment, const std::vector<std::string>& names) {
  const std::string_view name = segment.substr(1, segment.size() - 2);
  if (!segment.ends_with('}') || name.empty()) return "a parameter is written {name}";
  if (name.find_first_of("{}") != std::string_view::npos) return "a parameter is written {name}";
  if (std::find(names.begin(), names.end(), name) != names.end()) return "a parameter's name comes twice";
  return "";
}

}  // namespace

std::string_view take_segment(std::string_view& path) noexcept {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

bool is_dot_segment(std::string_view segment) noexcept { return segment == "." || segment == ".."; }

base::Result<Pattern, std::string> parse_pattern(std::string_view text) {
  if (!text.starts_with('/')) return std::string("a pattern begins with '/'");
  Pattern pattern;
  while (!text.empty()) {
    const std::string_view segment = take_segment(text);
    const bool parameter = segment.starts_with('{');
    const auto fault = parameter ? fault_of_parameter(segment, pattern.names) : fault_of_literal(segment);
    if (!fault.empty()) return std::string(fault);
    if (pattern.segments.size() == most_path_segments) return std::string("too many segments");
    if (parameter) pattern.names.emplace_back(segment.substr(1, segment.size() - 2));
    pattern.segments.emplace_back(parameter ? any_segment : segment);
  }
  return pattern;
}

base::Result<std::vector<std::string>, std::string> parse_prefix(std::string_view text) {
  if (text.empty() || text == "/") return std::vector<std::string>();
  if (text.ends_with('/')) return std::string("a prefix does not end with '/'");
  auto pattern = parse_pattern(text);
  if (!pattern) return pattern.error();
  return std::move(pattern->segments);
}

bool covers(const std::vector<std::string>& prefix, const std::vector<std::string>& segments) {
  return prefix.size() <= segments.size() && std::equal(prefix.begin(), prefix.end(), segments.begin());
}

}  // namespace signet::http
