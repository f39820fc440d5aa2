// What the machine lets us have: CPUs and descriptors.
#pragma once

#include <cstddef>
#include <string_view>

namespace signet::server {

/// CPUs that this process may use: its affinity, lowered to what the control group's quota pays for (rounded
/// up), at least 1.
[[nodiscard]] unsigned usable_cpus();

/// Raises the soft limit of descriptors to the hard one, and answers it.
[[nodiscard]] std::size_t raise_descriptor_limit() noexcept;

/// CPUs that a quota pays for, rounded up, from the text of cpu.max ("150000 100000"); 0 for none ("max
/// 100000") or for text that is not understood.
[[nodiscard]] unsigned quota_cpus(std::string_view cpu_max) noexcept;

}  // namespace signet::server
