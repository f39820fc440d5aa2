#include <cstdio>

#include <signet/tests/vectors/report.hpp>

namespace signet::vectors {
namespace {

constexpr std::size_t most_printed_failures = 20;

}  // namespace

void Report::fail(std::string_view id, std::string_view why) {
  failed_++;
  if (failures_.size() < most_printed_failures) {
    failures_.push_back(std::string(id) + ": " + std::string(why));
  }
}

std::size_t Report::skipped() const {
  std::size_t all = 0;
  for (const auto& [reason, cases] : skipped_) all += cases;
  return all;
}

void Report::print(const std::string& file, double seconds) const {
  std::printf("%s: %zu passed, %zu failed, %zu skipped, %.1f s\n", file.c_str(), passed_, failed_, skipped(),
              seconds);
  for (const std::string& line : notes_) std::printf("    %s\n", line.c_str());
  for (const auto& [reason, cases] : skipped_) std::printf("    skipped %zu: %s\n", cases, reason.c_str());
  for (const std::string& failure : failures_) std::printf("    FAILED %s\n", failure.c_str());
  if (failed_ > failures_.size()) std::printf("    FAILED and %zu more\n", failed_ - failures_.size());
}

Case::~Case() {
  if (!skipped_.empty()) {
    report_.skip(skipped_);
  } else if (faults_.empty()) {
    report_.pass();
  } else {
    report_.fail(id_, faults_);
  }
}

void Case::expect(bool right, std::string_view what, std::string_view where) {
  if (right) return;
  if (!faults_.empty()) faults_ += "; ";
  faults_ += what;
  if (!where.empty()) faults_ += " (" + std::string(where) + ")";
}

}  // namespace signet::vectors
