// What the tests of the router share: routes that do nothing, and what is found for a method and a path.
#pragma once

#include <string>
#include <string_view>

#include "support.hpp"
#include <doctest/doctest.h>

#include <signet/http/response.hpp>
#include <signet/http/router.hpp>

namespace signet::http::test {

using Kind = Match::Kind;

inline const Handler nothing = [](const Request&, Response&) {};
inline const UploadHandler take_nothing = [](const Request&, Response&) { return Receiver(); };

inline Router router_of(std::initializer_list<std::pair<verb, std::string_view>> routes) {
  Router router;
  for (const auto& [method, pattern] : routes) REQUIRE(router.add(method, pattern, nothing).ok());
  router.freeze();
  return router;
}

inline Match match_of(const Router& router, std::string_view method, std::string_view path,
                      base::Region& region) {
  return router.match(boost::beast::http::string_to_verb({method.data(), method.size()}), method, path,
                      region);
}

/// "pattern name=value name=value", or the kind's number.
inline std::string found(const Router& router, std::string_view path, std::string_view method = "GET") {
  OwnedRegion region;
  const Match match = match_of(router, method, path, *region);
  if (match.kind != Kind::found) {
    CHECK(match.route == nullptr);
    return std::to_string(static_cast<int>(match.kind));
  }
  std::string text = match.route->pattern;
  for (const Parameter& each : match.parameters) {
    text += " " + std::string(each.name) + "=" + std::string(each.value);
  }
  return text;
}

inline std::string allow(const Router& router, std::string_view path, std::string_view method) {
  OwnedRegion region;
  return std::string(match_of(router, method, path, *region).allow);
}

inline std::string no(Kind kind) { return std::to_string(static_cast<int>(kind)); }

}  // namespace signet::http::test
