#include <cerrno>
#include <cstring>
#include <ctime>
#include <vector>

#include <fcntl.h>
#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <signet/server/identity_files.hpp>
#include <signet/tls/development_certificate.hpp>

namespace signet::server {
namespace {

// A key's octets, wiped when done.
struct File {
  std::vector<std::uint8_t> octets;

  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { base::wipe(octets); }

  /// Read without stdio, whose buffers would keep a copy. False with errno.
  [[nodiscard]] bool read(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    const bool done = read_all(fd);
    const int error = errno;
    close(fd);
    errno = error;
    return done;
  }

 private:
  static constexpr std::size_t most_bytes = 1 << 20;

  /// To the end, whatever it is: a pipe has no size. The room is made at once, so that no copy is left
  /// behind.
  [[nodiscard]] bool read_all(int fd) {
    octets.resize(most_bytes + 1);
    std::size_t at = 0;
    while (at < octets.size()) {
      const ssize_t n = ::read(fd, octets.data() + at, octets.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      if (n == 0) break;
      at += static_cast<std::size_t>(n);
    }
    octets.resize(at);
    if (at > most_bytes) errno = EFBIG;
    return at <= most_bytes;
  }
};

std::string describe(const tls::IdentityFault& fault, const std::string& cert, const std::string& key) {
  const std::string& file = fault.input == tls::IdentityFault::Input::key ? key : cert;
  return fault.line != 0 ? fmt::format("{}:{}: {}", file, fault.line, fault.reason)
                         : fmt::format("{}: {}", file, fault.reason);
}

std::string fingerprint(const std::array<std::uint8_t, 32>& digest) {
  std::string text;
  for (const std::uint8_t octet : digest) text += fmt::format("{}{:02X}", text.empty() ? "" : ":", octet);
  return text;
}

}  // namespace

base::Result<std::shared_ptr<const tls::Identity>, std::string> load_identity(const std::string& cert,
                                                                              const std::string& key) {
  File chain;
  File secret;
  if (!chain.read(cert)) return fmt::format("{}: {}", cert, std::strerror(errno));
  if (!secret.read(key)) return fmt::format("{}: {}", key, std::strerror(errno));
  auto loaded = tls::Identity::load(chain.octets, secret.octets, std::time(nullptr));
  if (!loaded) return describe(loaded.error(), cert, key);
  return *loaded;
}

base::Result<DevelopmentIdentity, std::string> make_development_identity() {
  auto made = tls::make_development_certificate(std::time(nullptr));
  if (!made) return "development certificate: " + made.error().reason;
  return DevelopmentIdentity{made->identity, fingerprint(made->sha256)};
}

}  // namespace signet::server
