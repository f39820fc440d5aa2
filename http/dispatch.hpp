// The calls of handlers, hooks and callbacks: the one place where exceptions are caught.
//
//   begin()  ->  answered                                                     ->  finish()
//            ->  handler:  the body is read, then call()                      ->  finish()
//            ->  upload:   open(), then receive() for each piece of the body  ->  finish()
#pragma once

#include <functional>
#include <string_view>

#include <signet/http/access.hpp>
#include <signet/http/response.hpp>
#include <signet/http/router.hpp>
#include <signet/http/upload.hpp>

namespace signet::http {

/// Told of each handler that failed: by an exception, whose text is `what`, or by a response that could not
/// be made.
using ErrorCallback = std::function<void(const Request& request, std::string_view what)>;

/// Shared by the workers; immutable once serving has begun. No function lets an exception out: a handler that
/// raised one has answered 500.
class Dispatcher {
 public:
  /// Either callback may be empty.
  Dispatcher(Router router, ErrorCallback on_error, AccessCallback on_access);

  struct Begun {
    enum class Next : std::uint8_t { answered, handler, upload } next;
    const Route* route;  ///< null when there is none
  };
  /// Finds the route and runs the hooks before it. `answered`: the response is made, by a hook or for want of
  /// a route.
  [[nodiscard]] Begun begin(Request& request, Response& response) const noexcept;
  /// Calls the route's handler; the octets behind the body are as they were afterwards.
  void call(const Route& route, const Request& request, Response& response) const noexcept;
  /// Calls the route's upload handler for its receiver; empty when the response is the answer.
  [[nodiscard]] Receiver open(const Route& route, const Request& request, Response& response) const noexcept;
  /// Shows the receiver a piece; false when it raised an exception, and the response is 500.
  bool receive(const Receiver& receiver, Upload& piece, const Request& request,
               Response& response) const noexcept;
  /// Runs the hooks after the route (null: those for all requests) and finishes the attached response; the
  /// octets behind the body are as they were afterwards.
  void finish(const Route* route, const Request& request, Response& response) const noexcept;

  [[nodiscard]] bool logs_access() const noexcept { return static_cast<bool>(on_access_); }
  void log_access(const AccessEntry& entry) const noexcept;
  void report(const Request& request, std::string_view what) const noexcept;

 private:
  [[nodiscard]] const Hooks& hooks_of(const Route* route) const noexcept;
  void fail(const Request& request, Response& response, std::string_view what) const noexcept;

  Router router_;
  ErrorCallback on_error_;
  AccessCallback on_access_;
};

}  // namespace signet::http
