// In place of the vectors of http/, which is not built for another processor.
#include <signet/tests/vectors/files.hpp>

namespace signet::vectors {

std::span<const File> http_files() { return {}; }
std::span<const File> llhttp_files() { return {}; }

}  // namespace signet::vectors
