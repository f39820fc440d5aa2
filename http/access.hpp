// What is told of each exchange once it is over.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include <signet/http/request.hpp>

namespace signet::http {

/// One answer. The views are valid for the time of the callback.
struct AccessEntry {
  const Request* request = nullptr;  ///< head only; null for a head that was refused or found no memory
  std::string_view method;           ///< as received; empty for a head that was refused
  std::string_view target;           ///< likewise
  std::string_view pattern;          ///< the route's; empty without one
  std::string_view id;               ///< request.id(); empty without App::request_ids()
  unsigned status = 0;               ///< 0: the connection ended before an answer was begun
  std::uint64_t bytes = 0;           ///< of the answer's body, a stream's chunk framing included
  bool complete = true;              ///< false: the connection ended before all of it was written
  /// Since the head was whole, until the first octet of the answer was sealed and until the last one was.
  std::chrono::microseconds first_byte{0};
  std::chrono::microseconds whole{0};
  std::string_view peer;         ///< address and port
  std::string_view tls_version;  ///< "TLSv1.3"; this and the next two are empty without TLS
  std::string_view tls_suite;    ///< "TLS_AES_128_GCM_SHA256"
  std::string_view tls_group;    ///< "x25519"
  bool tls_resumed = false;      ///< by a ticket; the server gives none yet
};

/// Called on the worker's thread, by all workers at once.
using AccessCallback = std::function<void(const AccessEntry&)>;

}  // namespace signet::http
