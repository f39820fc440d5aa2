// What was measured, as a table with the bars or as JSON.
#pragma once

#include <signet/loadtest/prims/timing.hpp>

namespace signet::prims {

class Report {
 public:
  virtual ~Report() = default;
  virtual void begin() = 0;
  virtual void row(const Case& one, const Times& times) = 0;
  virtual void end() = 0;
};

/// Columns for people, each row when it is there; the bars and whether they are met, and a count of them.
[[nodiscard]] std::unique_ptr<Report> table_report();
/// A list of objects with name, bytes, kernel, ours_us, openssl_us and ratio; the last two are null where
/// libcrypto has nothing beside it, and "peer" names what stands there where that is other work.
[[nodiscard]] std::unique_ptr<Report> json_report();

}  // namespace signet::prims
