#include <cstdio>
#include <fstream>
#include <sstream>

#include <signet/tests/vectors/expectations.hpp>

namespace signet::vectors {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_of(const std::string& text) {
  std::size_t value = 0;
  for (const char c : text) {
    if (is_digit(c)) value = value * 10 + static_cast<std::size_t>(c - '0');
  }
  return value;
}

std::optional<Expectation> read_line(const std::string& line) {
  Expectation one;
  std::string count;
  std::istringstream words(line);
  if (!(words >> one.file >> count)) return std::nullopt;
  std::getline(words >> std::ws, one.reason);
  if (count == "-") return one.reason.empty() ? std::nullopt : std::optional(one);
  if (count.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  one.run = digits_of(count);
  return one;
}

}  // namespace

std::optional<std::vector<Expectation>> read_expectations(const std::string& path) {
  std::vector<Expectation> all;
  std::ifstream file(path);
  std::string line;
  if (!file) return std::nullopt;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    const auto one = read_line(line);
    if (!one) {
      std::printf("%s: neither count nor reason: %s\n", path.c_str(), line.c_str());
      return std::nullopt;
    }
    all.push_back(*one);
  }
  return all;
}

std::map<std::string, std::size_t> read_manifest(const std::string& path) {
  std::map<std::string, std::size_t> files;
  std::ifstream manifest(path);
  std::string line;
  std::string folder;
  while (std::getline(manifest, line)) {
    if (line.rfind("## ", 0) == 0) folder = line.substr(3);
    const std::size_t end = line.find(".json |");
    if (line.rfind("| ", 0) != 0 || end == std::string::npos) continue;
    const std::size_t count = end + 8;
    files[folder + "/" + line.substr(2, end + 3)] =
        digits_of(line.substr(count, line.find('|', count) - count));
  }
  return files;
}

}  // namespace signet::vectors
