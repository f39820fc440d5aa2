// A value or the reason why there is none.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace signet::base {

/// Holds a T or an E. `value()` may be called only when `ok()`, `error()` only when not.
template <class T, class E>
class [[nodiscard]] Result {
 public:
  Result(T value) noexcept : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) noexcept : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] T& value() noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] const T& value() const noexcept { return *std::get_if<0>(&state_); }
  [[nodiscard]] const E& error() const noexcept { return *std::get_if<1>(&state_); }
  T& operator*() noexcept { return value(); }
  const T& operator*() const noexcept { return value(); }
  T* operator->() noexcept { return &value(); }
  const T* operator->() const noexcept { return &value(); }

 private:
  std::variant<T, E> state_;
};

/// Success without a value, or the reason of the failure.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  Result() noexcept = default;
  Result(E error) noexcept : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] const E& error() const noexcept { return *error_; }

 private:
  std::optional<E> error_;
};

}  // namespace signet::base
