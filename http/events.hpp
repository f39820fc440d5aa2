// Server-sent events (WHATWG HTML section 9.2), a thin use of a stream.
#pragma once

#include <functional>
#include <string_view>

#include <signet/http/response.hpp>
#include <signet/http/stream.hpp>

namespace signet::http {

/// What a function writes events to. Every call answers as Stream::write() does: false means to return.
class EventStream {
 public:
  explicit EventStream(Stream& stream) noexcept : stream_(&stream) {}

  /// An event; `data` may have several lines. `type` and `id` may be empty, which leaves them out; a line end
  /// or NUL in one of them is a fault of the caller: nothing is written, and the stream ends.
  bool event(std::string_view data, std::string_view type = {}, std::string_view id = {});
  /// A comment of one line, which clients pass over: a sign of life that finds out whether the client is
  /// there.
  bool comment(std::string_view text);
  /// How long a client waits before it connects again.
  bool retry(unsigned milliseconds);
  void end() noexcept { stream_->end(); }
  /// As Stream::draining().
  [[nodiscard]] bool draining() const noexcept { return stream_->draining(); }
  [[nodiscard]] Waker waker() { return stream_->waker(); }

 private:
  bool field(std::string_view name, std::string_view value);

  Stream* stream_;
};

using EventFunction = std::function<void(EventStream&)>;

/// Answers with a stream of events: text/event-stream, not to be cached. `function` is called as
/// Response::stream() says.
bool stream_events(Response& response, EventFunction function);

}  // namespace signet::http
