// What a server sent to one peer, read as a client must read it.
#pragma once

#include <string_view>

namespace signet::fuzz {

struct Answers {
  unsigned final = 0;    ///< with a status of 200 and above
  unsigned interim = 0;  ///< 100 Continue
  bool cut = false;      ///< the last one is not whole
};

/// Reads all of `octets`; requires that each answer has a status line, fields and a body by one framing
/// alone, and that nothing follows one that says that it is the last. `ended`: the server ended the
/// connection behind them.
[[nodiscard]] Answers read_answers(std::string_view octets, bool ended);

}  // namespace signet::fuzz
