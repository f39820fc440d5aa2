// A body that a handler's function writes as room for it comes: Response::stream().
//
//   a buffer from the chunk cache:  | chunk size CRLF | octets written ... | CRLF, and 0 CRLF CRLF at the end |
//                                   '- head_room -----'-- room ------------'- tail_room ----------------------'
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <signet/base/chunk_cache.hpp>
#include <signet/http/body.hpp>
#include <signet/http/waker.hpp>

namespace signet::http {

class Stream;

/// Called on the connection's worker whenever there is room: writes until write() says to wait, then returns.
/// When it returns without having written anything or ended the stream, it is called again after
/// Waker::wake(), and sometimes before.
using StreamFunction = std::function<void(Stream&)>;

/// A reference that is kept beyond the function's call may be used on the worker's thread until the exchange
/// is over: write() takes nothing then. After that it is as any object that is gone.
class Stream final : public Body {
 public:
  /// What a function may write beyond what it was asked for, before the stream fails.
  static constexpr std::size_t most_backlog = 1024 * 1024;

  /// Takes all of `octets`. False: there is no room for more now, and the function is to return; it is called
  /// again when there is. False as well after end() and outside the function's call, and then nothing is
  /// taken.
  bool write(std::string_view octets);
  /// The body is whole.
  void end() noexcept { ended_ = true; }
  /// The server is about to end: a stream without an end of its own does well to end now. The function is
  /// called when that begins.
  [[nodiscard]] bool draining() const noexcept { return exchange_->draining(); }
  /// For other threads, to tell that there is something to write again.
  [[nodiscard]] Waker waker() { return Waker(*exchange_); }

  // For the library.

  enum class Framing : std::uint8_t { chunked, plain };
  /// `length`: octets that the function must write, UINT64_MAX for as many as it likes.
  Stream(StreamFunction&& function, Framing framing, std::uint64_t length, Awaited& exchange) noexcept
      : function_(std::move(function)), exchange_(&exchange), left_(length), framing_(framing) {}
  ~Stream() override;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// A buffer's octets, whatever `most` is: Response cuts them.
  [[nodiscard]] std::string_view next(std::size_t most) noexcept override;
  [[nodiscard]] Pause pause() const noexcept override { return pause_; }
  [[nodiscard]] std::string_view fault() const noexcept override { return fault_; }

 private:
  static constexpr std::size_t head_room = 8;
  static constexpr std::size_t tail_room = 8;
  static constexpr std::size_t room = base::chunk_bytes - head_room - tail_room;

  [[nodiscard]] bool fill() noexcept;
  void call() noexcept;
  void take_backlog() noexcept;
  [[nodiscard]] std::string_view frame() noexcept;
  [[nodiscard]] std::string_view nothing() noexcept;
  bool fail(std::string_view fault) noexcept;
  void give_buffer_back() noexcept;

  StreamFunction function_;
  Awaited* exchange_;
  std::uint64_t left_;
  std::string backlog_;  // what was written over the buffer's room
  std::size_t backlog_begin_ = 0;
  char* buffer_ = nullptr;
  std::size_t size_ = 0;  // octets written to the buffer
  std::string_view fault_;
  std::string thrown_;  // an exception's text
  Framing framing_;
  Pause pause_ = Pause::failed;
  bool ended_ = false;
  bool last_sent_ = false;  // the last chunk
  bool failed_ = false;
  bool called_ = false;  // the function runs
};

/// Calls `function(stream)`; false when it threw, and `fault` is the exception's text. In dispatch.cpp, where
/// handlers' exceptions are caught.
[[nodiscard]] bool call_caught(const StreamFunction& function, Stream& stream, std::string& fault) noexcept;

}  // namespace signet::http
