#include <sstream>

#include <signet/tests/support/hex.hpp>
#include <signet/tests/support/rfc8448.hpp>
#include <signet/tests/support/rfc8448_simple.hpp>

namespace signet::test {
namespace {

// "client: title" or "client: title [key number]".
TraceStep step_of(const std::string& line) {
  TraceStep step;
  const std::size_t colon = line.find(": ");
  const std::size_t bracket = line.find(" [");
  step.actor = line.substr(0, colon);
  step.title = line.substr(colon + 2, bracket == std::string::npos ? bracket : bracket - colon - 2);
  if (bracket == std::string::npos) return step;
  std::istringstream protection(line.substr(bracket + 2));
  std::string key;
  protection >> key >> step.record_number;
  step.record_key = from_hex(key);
  return step;
}

}  // namespace

// A line at the margin is a step, one with two blanks names a value, ones with four are its octets.
Trace simple_handshake_trace() {
  Trace trace;
  trace.title = "Simple 1-RTT Handshake";
  std::istringstream lines{std::string(rfc8448_simple_handshake)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      trace.steps.push_back(step_of(line));
    } else if (line.rfind("    ", 0) != 0) {
      trace.steps.back().fields.push_back({line.substr(2), {}});
    } else {
      std::vector<std::uint8_t>& octets = trace.steps.back().fields.back().octets;
      const std::vector<std::uint8_t> more = from_hex(line.substr(4));
      octets.insert(octets.end(), more.begin(), more.end());
    }
  }
  return trace;
}

}  // namespace signet::test
