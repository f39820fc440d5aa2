#include <cstdio>

#include <signet/loadtest/prims/bars.hpp>
#include <signet/loadtest/prims/report.hpp>

namespace signet::prims {
namespace {

/// A number to a ten-thousandth, or `absent` where there is none.
std::string number(std::optional<double> value, const char* absent) {
  if (!value) return absent;
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", *value);
  return text;
}

std::optional<double> ratio_of(const Times& times) {
  return times.openssl ? std::optional(times.ours / *times.openssl) : std::nullopt;
}

class Table final : public Report {
 public:
  void begin() override {
    std::printf("%-31s %6s  %-25s %9s %9s %7s %9s\n", "", "bytes", "kernel", "ours us", "OpenSSL", "ratio",
                "bar");
  }
  void row(const Case& one, const Times& times) override {
    const std::string bytes = one.bytes == 0 ? "" : std::to_string(one.bytes);
    std::printf("%-31s %6s  %-25.*s %9.4f %9s %7s  %s", one.name.c_str(), bytes.c_str(),
                static_cast<int>(one.kernel.size()), one.kernel.data(), times.ours,
                number(times.openssl, "-").c_str(), number(ratio_of(times), "-").c_str(),
                verdict(one, times).c_str());
    if (!one.peer.empty()) {
      std::printf("  (to OpenSSL's %.*s)", static_cast<int>(one.peer.size()), one.peer.data());
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  void end() override {
    std::printf("bars: %d of %d met\n", met_, bars_);
    if (!missed_.empty()) std::printf("missed:%s\n", missed_.c_str());
  }

 private:
  std::string verdict(const Case& one, const Times& times) {
    const std::optional<Bar> bar = bar_of(one);
    if (!bar) return "";
    const bool met = (bar->is_ratio ? ratio_of(times).value() : times.ours) <= bar->limit;
    bars_++;
    met_ += met ? 1 : 0;
    if (!met) missed_ += "\n  " + one.name + (one.bytes == 0 ? "" : " " + std::to_string(one.bytes));
    char text[40];
    std::snprintf(text, sizeof text, "%5.2f%s %s", bar->limit, bar->is_ratio ? "  " : "us",
                  met ? "met" : "MISSED");
    return text;
  }

  int bars_ = 0;
  int met_ = 0;
  std::string missed_;
};

class Json final : public Report {
 public:
  void begin() override { std::printf("["); }
  void row(const Case& one, const Times& times) override {
    std::printf(
        "%s\n{\"name\": \"%s\", \"bytes\": %zu, \"kernel\": \"%.*s\", \"ours_us\": %.4f, "
        "\"openssl_us\": %s, \"ratio\": %s",
        is_first_ ? "" : ",", one.name.c_str(), one.bytes, static_cast<int>(one.kernel.size()),
        one.kernel.data(), times.ours, number(times.openssl, "null").c_str(),
        number(ratio_of(times), "null").c_str());
    if (!one.peer.empty()) {
      std::printf(", \"peer\": \"OpenSSL's %.*s\"", static_cast<int>(one.peer.size()), one.peer.data());
    }
    std::printf("}");
    is_first_ = false;
  }
  void end() override { std::printf("\n]\n"); }

 private:
  bool is_first_ = true;
};

}  // namespace

std::unique_ptr<Report> table_report() { return std::make_unique<Table>(); }
std::unique_ptr<Report> json_report() { return std::make_unique<Json>(); }

}  // namespace signet::prims
