// What a function leaves behind on its stack: it is run on one of the test's own, which is then searched.
#pragma once

#include <algorithm>
#include <vector>

#include <ucontext.h>

#include <signet/base/bytes.hpp>

// Without optimisation every temporary has a place of its own, and sanitizers move stacks: no promise there.
#if defined(__OPTIMIZE__) && !defined(SIGNET_SANITIZED)
#define SIGNET_SEES_RESIDUE 1
#else
#define SIGNET_SEES_RESIDUE 0
#endif

namespace signet::test {

/// The octets of a stack after a function ran on it.
class Residue {
 public:
  /// Runs `function`, whose captures and results must lie elsewhere, on a stack of zeros.
  template <class Function>
  explicit Residue(Function& function) : stack_(stack_bytes) {
    ucontext_t callee;
    getcontext(&callee);
    callee.uc_stack.ss_sp = stack_.data();
    callee.uc_stack.ss_size = stack_.size();
    callee.uc_link = &caller_;
    run_ = [](void* f) { (*static_cast<Function*>(f))(); };
    argument_ = &function;
    current_ = this;
    makecontext(&callee, &Residue::enter, 0);
    swapcontext(&caller_, &callee);
  }

  /// How often `octets` are there.
  [[nodiscard]] std::size_t count(base::Bytes octets) const {
    std::size_t n = 0;
    for (auto at = stack_.begin();; at++, n++) {
      at = std::search(at, stack_.end(), octets.begin(), octets.end());
      if (at == stack_.end()) return n;
    }
  }
  [[nodiscard]] bool has(base::Bytes octets) const { return count(octets) != 0; }
  template <class T>
  [[nodiscard]] std::size_t count_object(const T& object) const {
    return count({reinterpret_cast<const std::uint8_t*>(&object), sizeof object});
  }

  /// In how many places there is a T of which `is_it` says yes.
  template <class T, class Question>
  [[nodiscard]] std::size_t count_such(Question is_it) const {
    std::size_t n = 0;
    for (std::size_t at = first_used(); at + sizeof(T) <= stack_.size(); at += sizeof(std::uint64_t)) {
      T object;
      std::memcpy(&object, stack_.data() + at, sizeof object);
      if (is_it(object)) n++;
    }
    return n;
  }

 private:
  static constexpr std::size_t stack_bytes = 1 << 18;

  static void enter() { current_->run_(current_->argument_); }

  [[nodiscard]] std::size_t first_used() const {
    const auto used =
        std::find_if(stack_.begin(), stack_.end(), [](std::uint8_t octet) { return octet != 0; });
    return static_cast<std::size_t>(used - stack_.begin()) / sizeof(std::uint64_t) * sizeof(std::uint64_t);
  }

  inline static Residue* current_ = nullptr;
  std::vector<std::uint8_t> stack_;
  ucontext_t caller_;
  void (*run_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace signet::test
