// What became of the cases of one file.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <signet/tests/vectors/json.hpp>

namespace signet::vectors {

/// Counts each case once: passed, failed, or skipped with its reason.
class Report {
 public:
  void pass() { passed_++; }
  void fail(std::string_view id, std::string_view why);
  void skip(std::string_view reason, std::size_t cases = 1) { skipped_[std::string(reason)] += cases; }
  /// As skip(), for a case that other builds run: the expected count includes it.
  void skip_in_this_build(std::string_view reason) {
    skip(reason);
    run_elsewhere_++;
  }
  /// A line for the reader.
  void note(std::string line) { notes_.push_back(std::move(line)); }

  [[nodiscard]] std::size_t passed() const { return passed_; }
  [[nodiscard]] std::size_t failed() const { return failed_; }
  [[nodiscard]] std::size_t skipped() const;
  [[nodiscard]] std::size_t run() const { return passed_ + failed_ + run_elsewhere_; }

  /// Counts, reasons, notes and the first failures.
  void print(const std::string& file, double seconds) const;

 private:
  std::size_t passed_ = 0;
  std::size_t failed_ = 0;
  std::size_t run_elsewhere_ = 0;
  std::map<std::string, std::size_t> skipped_;
  std::vector<std::string> notes_;
  std::vector<std::string> failures_;
};

/// One case, counted when it goes out of scope.
class Case {
 public:
  Case(Report& report, std::string id) : report_(report), id_(std::move(id)) {}
  Case(Report& report, Json one) : Case(report, id_of(one)) {}
  ~Case();
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  /// `what` is said when it is not `right`; `where` is a kernel, a way.
  void expect(bool right, std::string_view what, std::string_view where = {});
  void skip(std::string_view reason) { skipped_ = reason; }

 private:
  Report& report_;
  std::string id_;
  std::string faults_;
  std::string skipped_;
};

/// Runs every case of a file's document.
using Runner = void (*)(Report& report, Json document);

struct File {
  const char* name;
  Runner run;
};

/// Calls `run(one, test, group)` for each test of Wycheproof's groups.
template <class Run>
void each_test(Report& report, Json document, Run&& run) {
  for (const Json group : list(document, "testGroups")) {
    for (const Json test : list(group, "tests")) {
      Case one(report, test);
      run(one, test, group);
    }
  }
}

/// Calls `run(one, json)` for each element of `key`.
template <class Run>
void each_case(Report& report, Json document, const char* key, Run&& run) {
  for (const Json json : list(document, key)) {
    Case one(report, json);
    run(one, json);
  }
}

}  // namespace signet::vectors
