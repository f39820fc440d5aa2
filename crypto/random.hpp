// The system's random source.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto {

/// Fills `out` by getrandom(2). Ends the process when the kernel refuses: nothing secret can be made without
/// it.
void random_bytes(base::MutBytes out) noexcept;

}  // namespace signet::crypto
