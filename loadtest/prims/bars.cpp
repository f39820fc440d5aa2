#include <algorithm>

#include <signet/loadtest/prims/bars.hpp>

namespace signet::prims {
namespace {

struct Entry {
  std::string_view name;
  std::size_t bytes;
  Bar bar;
};

constexpr Bar ratio(double limit) { return {limit, true}; }
constexpr Bar microseconds(double limit) { return {limit, false}; }

constexpr Entry entries[] = {
    {"AES-128-GCM seal", 1'350, ratio(0.35)},
    {"AES-128-GCM open", 1'350, ratio(0.35)},
    {"AES-128-GCM seal", 16'384, ratio(0.42)},
    {"AES-128-GCM open", 16'384, ratio(0.42)},
    {"AES-256-GCM seal", 16'384, ratio(0.42)},
    {"AES-256-GCM open", 16'384, ratio(0.42)},
    {"ChaCha20-Poly1305 seal", 16'384, ratio(0.95)},
    {"ChaCha20-Poly1305 open", 16'384, ratio(0.95)},
    {"AES-128-GCM key expansion", 0, microseconds(0.5)},
    {"AES-256-GCM key expansion", 0, microseconds(0.5)},
    {"ChaCha20-Poly1305 key expansion", 0, microseconds(0.5)},
    {"SHA-256", 16'384, ratio(1.0)},
    {"SHA-384", 16'384, ratio(1.0)},
    {"X25519 shared secret", 0, ratio(0.78)},
    {"X25519 key pair", 0, ratio(0.25)},
    {"P-256 sign", 0, ratio(0.76)},
    {"P-256 sign and check", 0, ratio(1.9)},
    {"P-256 verify", 0, ratio(0.86)},
    {"P-256 verify table", 0, ratio(0.36)},
    {"P-256 ECDH", 0, ratio(0.90)},
};

}  // namespace

std::optional<Bar> bar_of(const Case& one) {
  if (!one.is_first) return std::nullopt;
  const auto* entry = std::find_if(std::begin(entries), std::end(entries), [&](const Entry& candidate) {
    return candidate.name == one.name && candidate.bytes == one.bytes;
  });
  return entry == std::end(entries) ? std::nullopt : std::optional(entry->bar);
}

}  // namespace signet::prims
