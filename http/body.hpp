// A body that is not written by the handler at once but asked for, piece by piece, as room for it comes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace signet::http {

/// Gives a body in pieces that stay where they are: each is sealed from its place. Made in the request's
/// region by Response::body_from().
class Body {
 public:
  virtual ~Body() = default;

  /// The next octets, at least 1 and at most `most`, while the announced length is not reached. The view
  /// stays valid until the next call. An empty one: pause() says why.
  [[nodiscard]] virtual std::string_view next(std::size_t most) noexcept = 0;

  enum class Pause : std::uint8_t {
    failed,  ///< the body cannot go on: the connection ends
    ended,   ///< it was whole; for bodies whose length was not announced
    waits,   ///< there is nothing now; a Waker will tell
  };
  /// Valid when next() gave nothing.
  [[nodiscard]] virtual Pause pause() const noexcept { return Pause::failed; }
  /// Why it failed, for the log; may be empty.
  [[nodiscard]] virtual std::string_view fault() const noexcept { return {}; }
};

/// The same octets again and again.
class RepeatedBody final : public Body {
 public:
  /// `piece` is static memory and not empty.
  explicit RepeatedBody(std::string_view piece) noexcept : piece_(piece) {}

  [[nodiscard]] std::string_view next(std::size_t most) noexcept override {
    if (at_ == piece_.size()) at_ = 0;
    const std::string_view part = piece_.substr(at_, most);
    at_ += part.size();
    return part;
  }

 private:
  std::string_view piece_;
  std::size_t at_ = 0;
};

}  // namespace signet::http
