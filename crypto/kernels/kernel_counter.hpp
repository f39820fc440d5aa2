// Counts which kernels ran, so that a test can show it: in builds with SIGNET_COUNT_KERNELS (the dev preset);
// elsewhere the macro is nothing and every count is zero.
#pragma once

#include <cstdint>
#include <string_view>

namespace signet::crypto {

#if defined(SIGNET_COUNT_KERNELS)
inline constexpr bool kernels_are_counted = true;
#else
inline constexpr bool kernels_are_counted = false;
#endif

/// How often this thread has run the kernel called `name`, as its kernel list names it.
[[nodiscard]] std::uint64_t kernel_runs(std::string_view name) noexcept;

/// Counts one run. `name` must live for ever; the table has room for 64 kernels, and one more ends the
/// process.
void count_kernel_run(std::string_view name) noexcept;

}  // namespace signet::crypto

/// The first statement of a kernel's entry point: SIGNET_KERNEL_RAN("sha256-shani");
#if defined(SIGNET_COUNT_KERNELS)
#define SIGNET_KERNEL_RAN(name) ::signet::crypto::count_kernel_run(name)
#else
#define SIGNET_KERNEL_RAN(name) static_cast<void>(0)
#endif
