// The call of a handler: the one place where exceptions are caught.
#pragma once

#include <functional>
#include <string_view>

#include <signet/http/response.hpp>
#include <signet/http/router.hpp>

namespace signet::http {

/// Told of each handler that failed: by an exception, whose text is `what`, or by a response that could not
/// be made.
using ErrorCallback = std::function<void(const Request& request, std::string_view what)>;

/// Shared by the workers; immutable once serving has begun.
class Dispatcher {
 public:
  Dispatcher(Router router, ErrorCallback on_error)
      : router_(std::move(router)), on_error_(std::move(on_error)) {
    router_.freeze();
  }

  /// Finds the route, calls its handler and finishes the response, which is complete afterwards whatever
  /// happened. The octets behind the body are as they were. Answers the route's pattern, empty when there is
  /// none.
  std::string_view dispatch(Request& request, Response& response) const noexcept;

 private:
  void call(const Handler& handler, const Request& request, Response& response) const noexcept;
  void report(const Request& request, std::string_view what) const noexcept;

  Router router_;
  ErrorCallback on_error_;
};

}  // namespace signet::http
