// What was compared, how often, and where we and libcrypto differ.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <string>
#include <vector>

#include <signet/base/bytes.hpp>

namespace signet::differential {

using Octets = std::vector<std::uint8_t>;

struct Settings {
  std::uint64_t seed = 1;
  std::size_t cases = 10'000;  // an operation and kernel, at least
  bool alters = false;         // one of our answers in every row is made wrong, which must be noticed
  std::string only;            // operations with this in their names; all when it is empty
};

/// One operation on one kernel.
class Row {
 public:
  Row(std::string operation, std::string kernel, const Settings& settings);

  /// Counts a case; `inputs` are printed when the answers differ.
  void compare(const Octets& ours, const Octets& theirs, std::initializer_list<base::Bytes> inputs);
  void compare(bool ours, bool theirs, std::initializer_list<base::Bytes> inputs);

  [[nodiscard]] bool lacks_cases() const { return cases_ < wanted_; }
  [[nodiscard]] std::size_t differences() const { return differences_; }
  void print() const;

 private:
  void print_difference(const Octets& ours, const Octets& theirs,
                        std::initializer_list<base::Bytes> inputs) const;

  std::string operation_, kernel_;
  std::size_t wanted_, altered_case_;
  std::size_t cases_ = 0, differences_ = 0;
  bool alters_;
};

class Report {
 public:
  explicit Report(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] bool wants(const std::string& operation) const {
    return operation.find(settings_.only) != std::string::npos;
  }
  /// A row stays where it is.
  [[nodiscard]] Row& row(std::string operation, std::string_view kernel) {
    return rows_.emplace_back(std::move(operation), std::string(kernel), settings_);
  }
  /// A line under the table; `count` must be at least one in a hundred of the cases, so that the cases which
  /// it counts are known to be there.
  void note(std::string what, std::size_t count);

  /// Prints all; whether everything agreed, or, when answers were altered, every row noticed its one.
  [[nodiscard]] bool finish() const;

 private:
  struct Note {
    std::string what;
    std::size_t count;
  };
  [[nodiscard]] bool is_enough(const Note& note) const { return note.count >= settings_.cases / 100; }

  Settings settings_;
  std::deque<Row> rows_;
  std::vector<Note> notes_;
};

}  // namespace signet::differential
