// One request and its answer, from the end of the head until the answer's last octet is in a cell.
//
//   receiving  ->  ready  ->  sending                          the handler answers at once
//                        ->  awaited  ->  made  ->  sending    it answers later
//              ->  made  ->  sending                           its body was taken piece by piece, or could not be taken
//   made from the start: a hook answers, or nobody
#pragma once

#include <chrono>

#include <signet/http/dispatch.hpp>
#include <signet/http/responder.hpp>
#include <signet/server/incoming.hpp>

namespace signet::server {

class Channel;
struct HttpService;

struct Exchange {
  enum class Stage : std::uint8_t {
    receiving,  ///< the body is not whole
    ready,      ///< the request is whole, and the handler not called yet
    awaited,    ///< the handler answers later
    made,       ///< the response is made, and not finished
    sending,    ///< not all of it is in cells
  };
  using Time = std::chrono::steady_clock::time_point;

  Exchange(base::Region& in, const http::RequestHead& head, http::Awaiting& worker,
           std::uint32_t session) noexcept;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// The answer that is sent: the handler's, or one that came later.
  [[nodiscard]] http::Response& answer() noexcept { return late == nullptr ? response : late->response(); }
  [[nodiscard]] const http::Request& question() const noexcept {
    return late == nullptr ? request : late->request();
  }

  base::Region* region;
  http::Awaited awaited;
  http::Request request;
  http::Response response;
  http::Late* late = nullptr;
  const http::Route* route = nullptr;
  Incoming* incoming = nullptr;  // null unless the body comes apart from the head
  std::size_t bytes = 0;         // of the request, still in the input; consumed when nothing refers to them
  std::uint32_t seen = 0;        // octets of the request that were there at the last look
  Stage stage = Stage::receiving;
  bool owes_continue = false;  // 100 Continue is to be said
  bool answered = false;       // the answer's first octet was written
  Time began;                  // these two for the access log alone
  Time first_octet;
};

/// Makes the exchange in `region` and decides what the head leads to. Null when there is no memory.
[[nodiscard]] Exchange* begin_exchange(Channel& channel, base::Region& region, const http::RequestHead& head,
                                       std::size_t head_bytes) noexcept;
/// Goes on as far as it can; true when the exchange is over and the channel may read the next request.
[[nodiscard]] bool advance(Channel& channel, Exchange& exchange) noexcept;
/// Answers with an error in place of whatever was to come; the connection ends behind it.
void answer_error(Exchange& exchange, http::status code, std::string_view text) noexcept;
/// Takes what another thread sent; false when it came too late, and the message is still the caller's.
[[nodiscard]] bool deliver(Channel& channel, Exchange& exchange, base::Posted& message) noexcept;
/// Logs it and removes it with its region.
void destroy(Channel& channel, Exchange& exchange) noexcept;

}  // namespace signet::server
