// One row for each kernel of an operation.
#pragma once

#include <signet/tests/differential/report.hpp>

namespace signet::differential {

template <class Kernel>
struct KernelRow {
  const Kernel* kernel;
  Row* row;
};

template <class Kernel>
std::vector<KernelRow<Kernel>> kernel_rows(Report& report, const std::string& operation,
                                           std::span<const Kernel* const> kernels) {
  std::vector<KernelRow<Kernel>> rows;
  for (const Kernel* kernel : kernels) rows.push_back({kernel, &report.row(operation, kernel->name)});
  return rows;
}

}  // namespace signet::differential
