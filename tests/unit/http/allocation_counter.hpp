// Counts the allocations of the whole test program, so that a test can say that serving makes none.
#pragma once

#include <cstdint>

namespace signet::http::test {

/// Calls of malloc and its kin by any thread so far. Under a sanitizer, which has an allocator of its own,
/// always 0.
std::uint64_t allocations() noexcept;

}  // namespace signet::http::test
