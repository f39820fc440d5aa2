// An answer that comes later, from any thread: Request::later().
#pragma once

#include <utility>

#include <signet/http/awaited.hpp>
#include <signet/http/request.hpp>
#include <signet/http/response.hpp>

namespace signet::http {

/// A copy of a request and the answer to it, in a region of their own, on their way from a handler through
/// other threads back to the session.
class Late final : public base::Posted {
 public:
  /// Copies `request`, its body too. Null when there is no memory, or the worker's late requests hold too
  /// much.
  [[nodiscard]] static Late* make(const Request& request, Awaited& awaited) noexcept;
  /// Removes it and its region.
  void close() noexcept;

  Late(base::Region& region, const Request& request, Awaited& awaited, std::size_t bytes) noexcept;
  Late(const Late&) = delete;
  Late& operator=(const Late&) = delete;

  [[nodiscard]] const Request& request() const noexcept { return request_; }
  [[nodiscard]] Response& response() noexcept { return response_; }
  /// Hands it to the worker; where that is over, it is removed. False then.
  bool send() noexcept;

 private:
  ~Late() = default;

  base::Region* region_;
  std::shared_ptr<base::PostBox> box_;
  std::size_t bytes_;  // what it holds, as its box counts it
  Awaited exchange_;
  Request request_;
  Response response_;
};

/// The right and duty to answer one request. Move-only; one that is dropped unsent answers 500. If the client
/// left meanwhile, the answer goes nowhere and is counted, as long as the server runs. Not for two threads at
/// once.
class Responder {
 public:
  Responder() noexcept = default;
  explicit Responder(Late* late) noexcept : late_(late) {}
  Responder(Responder&& other) noexcept : late_(std::exchange(other.late_, nullptr)) {}
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  /// Whether there is still an answer to give; what follows may only be called then.
  explicit operator bool() const noexcept { return late_ != nullptr; }

  /// A copy of the request, valid until the answer is sent.
  [[nodiscard]] const Request& request() const noexcept { return late_->request(); }
  /// The answer; send() it when it is made. A stream's function runs on the connection's worker.
  [[nodiscard]] Response& response() noexcept { return late_->response(); }
  /// Sends the answer. A second one does nothing.
  void send() noexcept;

  /// Makes a whole answer as Response::text() does, and sends it.
  template <class... Pieces>
  void text(http::status code, const Pieces&... pieces) noexcept {
    if (late_ == nullptr) return;
    response().text(code, pieces...);
    send();
  }
  /// Likewise, of application/json.
  template <class... Pieces>
  void json(http::status code, const Pieces&... pieces) noexcept {
    if (late_ == nullptr) return;
    response().json(code, pieces...);
    send();
  }

 private:
  Late* late_ = nullptr;
};

}  // namespace signet::http
