// One request and its answer, from the end of the head until the answer's last octet is in a cell.
//
//   receiving  ->  ready  ->  sending                          the handler answers at once
//                        ->  awaited  ->  made  ->  sending    it answers later
//              ->  made  ->  sending                           the body was taken piece by piece, or could not
//                                                              be taken, or was not waited for
//              ->  awaited                                     taken piece by piece, and answered later
//   made or awaited from the start: a hook answers, or nobody
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
  std::size_t input_bytes = 0;   // the request's place in the input, its body's too while that comes there
  std::uint32_t last_seen = 0;   // octets of the request that were there at the last look
  Stage stage = Stage::receiving;
  bool owes_continue = false;  // 100 Continue is to be said
  bool answered = false;       // the answer's first octet was written
  Time began;                  // these two for the access log alone
  Time first_octet;
};

/// Makes the exchange in `region` and decides what the head leads to. False when there is no memory.
[[nodiscard]] bool begin_exchange(Channel& channel, base::Region& region, const http::RequestHead& head,
                                  std::size_t head_bytes) noexcept;
/// Goes on as far as it can; true when the exchange is over and the channel may read the next request.
[[nodiscard]] bool advance(Channel& channel, Exchange& exchange) noexcept;
/// Answers with an error in place of the handler, and of a body that is not whole; the connection ends behind
/// it.
void answer_error(Channel& channel, Exchange& exchange, http::status code, std::string_view text) noexcept;
/// A late answer came; false when it is not wanted any more, and still the caller's.
[[nodiscard]] bool take_answer(Channel& channel, Exchange& exchange, http::Late& late) noexcept;
/// What waited for another thread is asked again.
void go_on(Channel& channel, Exchange& exchange) noexcept;
/// Logs it and removes it with its region.
void destroy(Channel& channel, Exchange& exchange) noexcept;

}  // namespace signet::server
