// A name for each request, in the answer's X-Request-Id and in the logs of all who took part in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include <signet/http/request.hpp>
#include <signet/http/response.hpp>

namespace signet::http {

/// The longest X-Request-Id that is taken from a client.
constexpr std::size_t most_request_id_bytes = 64;

/// Whether a client's own id is taken: 1 to 64 letters, digits, '.', '_' and '-', which need no escape in any
/// log.
[[nodiscard]] bool is_request_id(std::string_view text) noexcept;

/// Makes ids of 32 hexadecimal digits: half of them is the process's, the other half counts. Shared by all
/// workers.
class RequestIds {
 public:
  /// Both are random, so that no two runs of a server have ids in common.
  RequestIds(std::uint64_t process, std::uint64_t first) noexcept : process_(process), next_(first) {}

  /// Gives the request its id, in its region, unless it has one: the client's if it can be taken, else a
  /// fresh one. Without memory it stays without.
  void name(const Request& request) noexcept;
  /// Names the request, and adds its id to the answer.
  void announce(const Request& request, Response& response) noexcept;

 private:
  [[nodiscard]] std::string_view make(base::Region& region) noexcept;

  std::uint64_t process_;
  std::atomic<std::uint64_t> next_;
};

}  // namespace signet::http
