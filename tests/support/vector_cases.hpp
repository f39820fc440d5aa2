// The cases of a vectors file whose fields are all text.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace signet::test {

using VectorCase = std::map<std::string, std::string>;

/// The "cases" of vectors file `name`; none when the file is not there, which is reported as skipped.
[[nodiscard]] std::vector<VectorCase> vector_cases(const std::string& name);

}  // namespace signet::test
