#include <charconv>

#include <CLI/CLI.hpp>

#include <signet/server/io/address.hpp>
#include <signet/server/options.hpp>

namespace signet::server {
namespace {

constexpr std::string_view version = "signet 0.1.0";

void add_duration(CLI::App& app, const char* name, Options::Duration& into, const std::string& what) {
  app.add_option_function<std::string>(
         name,
         [&into, name](const std::string& text) {
           if (!parse_duration(into, text))
             throw CLI::ValidationError(name, "\"" + text + "\" is no duration like 500ms, 10s or 2m");
         },
         what + " [" + std::to_string(into.count()) + "ms]")
      ->type_name("TIME");
}

void add_bytes(CLI::App& app, const char* name, std::uint64_t& into, const std::string& what) {
  app.add_option_function<std::string>(
         name,
         [&into, name](const std::string& text) {
           if (!parse_bytes(into, text))
             throw CLI::ValidationError(name, "\"" + text + "\" is no size like 16384, 64K, 10M or 1G");
         },
         what)
      ->type_name("SIZE");
}

std::string check_address(const std::string& text) {
  Address ignored;
  return parse_address(ignored, text) ? ""
                                      : "\"" + text + "\" is no HOST:PORT or [HOST]:PORT with an IP address";
}

std::string check_level(const std::string& text) {
  for (const char* known : {"trace", "debug", "info", "warn", "error", "off"})
    if (text == known) return "";
  return "\"" + text + "\" is not trace, debug, info, warn, error or off";
}

void add_service(CLI::App& app, Options& options) {
  app.add_option("--listen", options.listen, "Address to serve, repeatable [127.0.0.1:8443]")
      ->type_name("HOST:PORT")
      ->check(check_address)
      ->allow_extra_args(false);
  auto* cert = app.add_option("--cert", options.cert, "Certificate chain, PEM or DER")->type_name("FILE");
  auto* key = app.add_option("--key", options.key, "Private key of the certificate")->type_name("FILE");
  cert->needs(key);
  key->needs(cert);
  app.add_flag("--plain", options.plain, "HTTP without TLS");
  app.add_option("--tickets", options.tickets, "Session tickets sent to a client; 0 only for now")
      ->check(CLI::Range(0, 0));
  app.add_option("--log-level", options.log_level, "trace, debug, info, warn, error or off [info]")
      ->type_name("LEVEL")
      ->check(check_level);
}

void add_sizes(CLI::App& app, Options& options) {
  app.add_option_function<std::string>(
         "--workers",
         [&options](const std::string& text) {
           if (text == "auto") {
             options.workers = 0;
           } else if (!CLI::detail::lexical_cast(text, options.workers) || options.workers == 0 ||
                      options.workers > 1024) {
             throw CLI::ValidationError("--workers", "\"" + text + "\" is not auto or 1 to 1024");
           }
         },
         "Threads that serve, or auto: the CPUs we may use [auto]")
      ->type_name("N|auto");
  app.add_option("--connections", options.connections, "Connections at once [descriptor limit - 64]")
      ->check(CLI::Range(1, 4'000'000));
  app.add_option("--areas", options.areas, "Receive buffers of a worker, and send buffers [64]")
      ->check(CLI::Range(1, 65'536));
  app.add_option("--handshakes", options.handshakes, "Handshake areas of a worker [half of --areas]")
      ->check(CLI::Range(1, 65'536));
  app.add_option("--max-header-bytes", options.max_header_bytes, "Longest request head [16384]")
      ->check(CLI::Range(128, 16'384));
  add_bytes(app, "--max-body-bytes", options.max_body_bytes, "Longest request body [1M]");
  add_bytes(app, "--body-memory", options.body_memory,
            "Memory of a worker for request bodies over 16 KiB or in chunks [64M]");
}

void add_timers(CLI::App& app, Options& options) {
  add_duration(app, "--handshake-timeout", options.handshake_timeout, "Accept to the end of the handshake");
  add_duration(app, "--header-timeout", options.header_timeout, "First octet to the end of a request head");
  add_duration(app, "--record-timeout", options.record_timeout, "First to last octet of a TLS record");
  add_duration(app, "--body-timeout", options.body_timeout, "Since the last octet of a request body");
  add_duration(app, "--write-timeout", options.write_timeout, "Since the peer last acknowledged an octet");
  add_duration(app, "--idle-timeout", options.idle_timeout, "No request begun");
  add_duration(app, "--drain", options.drain, "After SIGTERM, until what is not done is cut off");
}

}  // namespace

std::optional<int> Options::parse(int argc, const char* const* argv, std::string_view description) {
  CLI::App app{std::string(description)};
  app.set_version_flag("--version", std::string(version));
  add_service(app, *this);
  add_sizes(app, *this);
  add_timers(app, *this);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (listen.empty()) listen.emplace_back("127.0.0.1:8443");
  return std::nullopt;
}

bool parse_duration(Options::Duration& duration, std::string_view text) noexcept {
  constexpr std::uint64_t most = 24 * 3600 * 1000;
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::uint64_t scale = unit == "ms"                  ? 1
                              : unit == "s" || unit.empty() ? 1000
                              : unit == "m"                 ? 60'000
                                                            : 0;
  if (fault != std::errc() || number == 0 || number > most || scale == 0 || number * scale > most)
    return false;
  duration = Options::Duration(number * scale);
  return true;
}

bool parse_bytes(std::uint64_t& bytes, std::string_view text) noexcept {
  std::uint64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (fault != std::errc() || shift < 0 || number > (std::uint64_t{1} << 62) >> shift) return false;
  bytes = number << shift;
  return true;
}

}  // namespace signet::server
