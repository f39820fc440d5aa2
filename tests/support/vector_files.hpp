// Where the independent test vectors are.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace signet::test {

/// The path of a file of vectors, "rfc/rfc8448.json": in $SIGNET_VECTORS, else in ../shared/vectors beside
/// the source root. Nothing when it is not there; a test then says that it was skipped.
inline std::optional<std::string> vector_file(const std::string& name) {
  const char* given = std::getenv("SIGNET_VECTORS");
  const std::filesystem::path beside =
      std::filesystem::path(SIGNET_SOURCE_ROOT) / ".." / "shared" / "vectors";
  const std::filesystem::path path = (given != nullptr ? std::filesystem::path(given) : beside) / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path.string();
}

}  // namespace signet::test
