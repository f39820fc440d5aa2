// tests/vectors.expect, and what MANIFEST.md says there is.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace signet::vectors {

struct Expectation {
  std::string file;
  std::optional<std::size_t> run;  // cases that are run; nothing when the file waits for `reason`
  std::string reason;
};

/// Lines of "FILE COUNT" and "FILE - REASON"; '#' begins a comment. Nothing when a line is none of these, and
/// then the line is printed.
[[nodiscard]] std::optional<std::vector<Expectation>> read_expectations(const std::string& path);

/// The files of MANIFEST.md's tables with their numbers of cases: rows "| name.json | 1,234 |" under "##
/// folder".
[[nodiscard]] std::map<std::string, std::size_t> read_manifest(const std::string& path);

}  // namespace signet::vectors
