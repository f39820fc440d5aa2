#include <cerrno>

#include <netinet/tcp.h>
#include <unistd.h>

#include <signet/server/io/listener.hpp>

namespace signet::server {
namespace {

// The kernel lowers it to net.core.somaxconn.
constexpr int backlog = 65535;

bool enable(int fd, int level, int option) noexcept {
  const int one = 1;
  return setsockopt(fd, level, option, &one, sizeof one) == 0;
}

Accepted::Kind kind_of(int error) noexcept {
  switch (error) {
    case EAGAIN:
      return Accepted::Kind::none;
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
      return Accepted::Kind::exhausted;
    default:
      return Accepted::Kind::again;  // the connection failed before it was taken
  }
}

}  // namespace

bool Listener::open(const Address& address) noexcept {
  address_ = address;
  fd_ = socket(address.is_v4() ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd_ < 0) return false;
  if (set_up()) return true;
  const int error = errno;
  close();
  errno = error;
  return false;
}

bool Listener::is_free(const Address& address) noexcept {
  const int fd = socket(address.is_v4() ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_storage name;
  const socklen_t size = address.to(name);
  const bool bound =
      enable(fd, SOL_SOCKET, SO_REUSEADDR) && bind(fd, reinterpret_cast<sockaddr*>(&name), size) == 0;
  const int error = errno;
  ::close(fd);
  errno = error;
  return bound;
}

bool Listener::set_up() noexcept {
  sockaddr_storage name;
  socklen_t size = address_.to(name);
  // Accepted sockets inherit TCP_NODELAY: one system call less for each.
  if (!enable(fd_, SOL_SOCKET, SO_REUSEADDR) || !enable(fd_, SOL_SOCKET, SO_REUSEPORT) ||
      !enable(fd_, IPPROTO_TCP, TCP_NODELAY))
    return false;
  if (bind(fd_, reinterpret_cast<sockaddr*>(&name), size) != 0 || listen(fd_, backlog) != 0) return false;
  size = sizeof name;
  if (getsockname(fd_, reinterpret_cast<sockaddr*>(&name), &size) != 0) return false;
  address_ = Address::of(name);
  return true;
}

void Listener::close() noexcept {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Accepted Listener::accept() noexcept {
  sockaddr_storage name;
  socklen_t size = sizeof name;
  const int fd = accept4(fd_, reinterpret_cast<sockaddr*>(&name), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return {kind_of(errno), -1, {}};
  return {Accepted::Kind::connection, fd, Address::of(name)};
}

}  // namespace signet::server
