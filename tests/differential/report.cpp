#include <cstdio>

#include <signet/tests/differential/report.hpp>
#include <signet/tests/support/hex.hpp>

namespace signet::differential {
namespace {

constexpr std::size_t most_printed = 3;  // differences of a row

std::string shown(base::Bytes octets) {
  constexpr std::size_t most = 200;
  if (octets.size() <= most) return test::to_hex(octets);
  return test::to_hex(octets.first(most)) + "... (" + std::to_string(octets.size()) + " octets)";
}

}  // namespace

Row::Row(std::string operation, std::string kernel, const Settings& settings)
    : operation_(std::move(operation)),
      kernel_(std::move(kernel)),
      wanted_(settings.cases),
      altered_case_(settings.seed * 0x9e3779b97f4a7c15 % settings.cases),
      alters_(settings.alters) {}

void Row::compare(const Octets& ours, const Octets& theirs, std::initializer_list<base::Bytes> inputs) {
  Octets answer = ours;
  if (alters_ && cases_ == altered_case_) {
    if (answer.empty()) answer.push_back(0);
    answer.back() ^= 1;
  }
  if (answer != theirs && differences_++ < most_printed && !alters_) print_difference(answer, theirs, inputs);
  cases_++;
}

void Row::compare(bool ours, bool theirs, std::initializer_list<base::Bytes> inputs) {
  compare(Octets{ours}, Octets{theirs}, inputs);
}

void Row::print_difference(const Octets& ours, const Octets& theirs,
                           std::initializer_list<base::Bytes> inputs) const {
  std::printf("%s, %s, case %zu\n  ours      %s\n  libcrypto %s\n", operation_.c_str(), kernel_.c_str(),
              cases_, shown(ours).c_str(), shown(theirs).c_str());
  for (const base::Bytes input : inputs) std::printf("  input     %s\n", shown(input).c_str());
}

void Row::print() const {
  std::printf("%-34s %-28s %7zu cases %5zu differences%s\n", operation_.c_str(), kernel_.c_str(), cases_,
              differences_, lacks_cases() ? "  TOO FEW CASES" : "");
}

void Report::note(std::string what, std::size_t count) { notes_.push_back({std::move(what), count}); }

bool Report::finish() const {
  bool good = !rows_.empty();
  std::size_t noticed = 0;
  for (const Row& row : rows_) {
    row.print();
    noticed += row.differences() == 1;
    good = good && !row.lacks_cases() && row.differences() == (settings_.alters ? 1 : 0);
  }
  for (const Note& note : notes_) {
    std::printf("%7zu %s%s\n", note.count, note.what.c_str(), is_enough(note) ? "" : "  TOO FEW");
    good = good && is_enough(note);
  }
  if (settings_.alters) std::printf("altered answers noticed: %zu of %zu\n", noticed, rows_.size());
  return good;
}

}  // namespace signet::differential
