#include <charconv>
#include <fstream>
#include <string>

#include <sched.h>
#include <sys/resource.h>

#include <signet/server/machine.hpp>

namespace signet::server {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The process's own group in the unified hierarchy: the line "0::/path".
std::string own_group() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("0::")) return line.substr(3);
  return "/";
}

unsigned affinity_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

// A quota may stand at our group or at any one above it; the least counts.
unsigned group_cpus() {
  unsigned least = 0;
  for (std::string group = own_group();; group.resize(group.rfind('/'))) {
    const unsigned quota = quota_cpus(first_line("/sys/fs/cgroup" + group + "/cpu.max"));
    if (quota != 0 && (least == 0 || quota < least)) least = quota;
    if (group.find('/') == std::string::npos) break;
  }
  const std::string old = "/sys/fs/cgroup/cpu/cpu.cfs_";
  const unsigned quota = quota_cpus(first_line(old + "quota_us") + " " + first_line(old + "period_us"));
  return quota != 0 && (least == 0 || quota < least) ? quota : least;
}

}  // namespace

unsigned usable_cpus() {
  const unsigned affinity = affinity_cpus();
  const unsigned quota = group_cpus();
  const unsigned cpus = quota != 0 && quota < affinity ? quota : affinity;
  return cpus == 0 ? 1 : cpus;
}

unsigned quota_cpus(std::string_view cpu_max) noexcept {
  const std::size_t blank = cpu_max.find(' ');
  if (blank == std::string_view::npos) return 0;
  unsigned quota = 0;
  unsigned period = 0;
  const char* end = cpu_max.data() + cpu_max.size();
  const bool read = std::from_chars(cpu_max.data(), end, quota).ec == std::errc() &&
                    std::from_chars(cpu_max.data() + blank + 1, end, period).ec == std::errc();
  return read && period != 0 ? (quota + period - 1) / period : 0;
}

std::size_t raise_descriptor_limit() noexcept {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before;
}

}  // namespace signet::server
