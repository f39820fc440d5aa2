// What a server is told at its start, by a program or by its command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signet::server {

struct Options {
  using Duration = std::chrono::milliseconds;

  /// HOST:PORT or [HOST]:PORT; port 0 takes a free one. None: 127.0.0.1:8443.
  std::vector<std::string> listen;
  std::string cert;  ///< certificate chain, PEM or DER; without both a development certificate is made
  std::string key;   ///< its private key
  bool plain = false;

  unsigned workers = 0;         ///< 0: as many as CPUs may be used
  std::size_t connections = 0;  ///< of all workers; 0: what the descriptor limit leaves
  std::size_t areas = 64;       ///< receive buffers of a worker, and as many send buffers
  std::size_t handshakes = 0;   ///< handshake areas of a worker; 0: half of areas

  Duration handshake_timeout{10'000};
  Duration header_timeout{10'000};
  Duration record_timeout{20'000};
  Duration body_timeout{30'000};
  Duration write_timeout{30'000};
  Duration idle_timeout{75'000};
  Duration drain{10'000};  ///< what is not done by then is cut off

  std::uint32_t max_header_bytes = 16 * 1024;
  std::uint64_t max_body_bytes = 1024 * 1024;    ///< of a route that says nothing else
  std::uint64_t body_memory = 64 * 1024 * 1024;  ///< of a worker, for bodies longer than a receive buffer
  unsigned tickets = 0;
  std::string log_level = "info";

  /// Reads a command line. An exit code when the program is to end: 0 after --help or --version, 2 for usage.
  [[nodiscard]] std::optional<int> parse(int argc, const char* const* argv, std::string_view description);
};

/// "500ms", "10s", "2m", or "10" (seconds). False for anything else, for 0 and for more than 24 hours.
[[nodiscard]] bool parse_duration(Options::Duration& duration, std::string_view text) noexcept;

/// "16384", "64K", "10M" or "1G", up to 2^62. False for anything else.
[[nodiscard]] bool parse_bytes(std::uint64_t& bytes, std::string_view text) noexcept;

}  // namespace signet::server
