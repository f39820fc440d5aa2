// A request's body that a handler takes piece by piece, as it comes.
#pragma once

#include <span>
#include <string_view>

#include <signet/base/bytes.hpp>
#include <signet/http/request.hpp>
#include <signet/http/route.hpp>
#include <signet/http/waker.hpp>

namespace signet::http {

/// The next piece of a body, for the time of its receiver's call: it is gone afterwards, unlike the response
/// beside it, which is the same one in each call.
class Upload {
 public:
  /// Where it was received; valid until the receiver returns. May be empty when last() is true.
  [[nodiscard]] std::string_view data() const noexcept { return base::as_text(data_); }
  /// The body ends with this piece: the response is to be made now, or request.later() called.
  [[nodiscard]] bool last() const noexcept { return last_; }
  /// Takes the first `n` octets of data() only. The others are shown again after Waker::wake(); until then
  /// nothing is read from the connection, so that the client waits as well.
  void wait_after(std::size_t n) noexcept {
    waits_ = true;
    taken_ = n < data_.size() ? n : data_.size();
  }
  /// For other threads, to tell that there is room again.
  [[nodiscard]] Waker waker() { return Waker(*exchange_); }
  /// No more is wanted: the response is sent now, and the connection ends with it.
  void stop() noexcept { stopped_ = true; }

  // For the library.

  Upload(base::Bytes data, bool last, Awaited& exchange) noexcept
      : exchange_(&exchange), data_(data), taken_(data.size()), last_(last) {}
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;
  [[nodiscard]] std::size_t taken() const noexcept { return taken_; }
  [[nodiscard]] bool waits() const noexcept { return waits_; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

 private:
  Awaited* exchange_;
  base::Bytes data_;
  std::size_t taken_;
  bool last_;
  bool waits_ = false;
  bool stopped_ = false;
};

}  // namespace signet::http
