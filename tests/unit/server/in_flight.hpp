// What is on its way between this process's own sockets. Loopback delivers at once only as long as the kernel
// has not put the delivery off to a thread of its own, which it does on a busy machine.
#pragma once

#include <chrono>
#include <cstring>

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace signet::test {

constexpr int sockets_looked_at = 192;  // descriptors are given out from the lowest

/// Octets that this socket's peer has not acknowledged; 0 for what is no TCP connection.
inline int octets_queued(int fd) {
  int octets = 0;
  return ioctl(fd, SIOCOUTQ, &octets) == 0 ? octets : 0;
}

/// What was received is acknowledged now: an acknowledgement may otherwise wait for 40 ms, to go with an
/// answer.
inline void acknowledge(int fd) {
  const int one = 1;
  (void)setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
}

/// True while octets that some socket of ours sent are with the kernel and in no receiver's queue. What a
/// closed window holds back does not count.
inline bool anything_in_flight() {
  bool any = false;
  for (int fd = 0; fd < sockets_looked_at; fd++) {
    int unsent = 0;
    const int queued = octets_queued(fd);
    if (queued > 0 && ioctl(fd, SIOCOUTQNSD, &unsent) == 0 && queued > unsent) any = true;
  }
  for (int fd = 0; any && fd < sockets_looked_at; fd++) acknowledge(fd);
  return any;
}

/// True while the other end of `client`, a socket of this process as well, has octets that the client has
/// not.
inline bool more_is_queued_for(int client) {
  sockaddr_storage own{}, other{};
  socklen_t own_size = sizeof own;
  acknowledge(client);
  if (getsockname(client, reinterpret_cast<sockaddr*>(&own), &own_size) != 0) return false;
  for (int fd = 0; fd < sockets_looked_at; fd++) {
    socklen_t size = sizeof other;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&other), &size) != 0 || size != own_size) continue;
    if (std::memcmp(&own, &other, size) == 0) return octets_queued(fd) > 0;
  }
  return false;
}

/// What lasts longer than thirty seconds is for the test to find.
class Deadline {
 public:
  [[nodiscard]] bool passed() const { return std::chrono::steady_clock::now() >= end_; }

 private:
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::seconds(30);
};

}  // namespace signet::test
