// Sends back what it receives, over TLS: the smallest service on a channel.
#include <algorithm>
#include <cstring>

#include <signet/server/server.hpp>

namespace {

using signet::server::Channel;
using signet::server::Expect;

/// Copies plaintext into the open cell until one of the two is used up; what is written leaves when this
/// returns.
void echo(Channel& channel) noexcept {
  while (!channel.plaintext().empty() || channel.read()) {
    signet::base::SendBuffer* out = channel.output(1);
    if (out == nullptr) return;  // called again when there is room
    const signet::base::MutBytes window = out->window();
    const signet::base::MutBytes data = channel.plaintext();
    const std::size_t n = std::min(window.size(), data.size());
    std::memcpy(window.data(), data.data(), n);
    out->wrote(n);
    channel.consume(n);
    channel.expect_anew(Expect::idle);
  }
}

}  // namespace

int main(int argc, char** argv) {
  signet::server::Options options;
  if (const auto code = options.parse(argc, argv, "Sends back what it receives, over TLS")) return *code;
  signet::server::Service service;
  service.serve = echo;
  return signet::server::run(options, service);
}
