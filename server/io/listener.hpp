// A listening socket of one worker; several share an address by SO_REUSEPORT.
#pragma once

#include <signet/server/io/address.hpp>

namespace signet::server {

/// What an attempt to accept came to.
struct Accepted {
  enum class Kind : std::uint8_t {
    connection,  ///< `fd` is open, non-blocking, without delay
    none,        ///< the queue is empty
    again,       ///< that one went away; the next may be there
    exhausted,   ///< no descriptor or memory: stop for a while
  };
  Kind kind;
  int fd;
  Address peer;
};

class Listener {
 public:
  Listener() noexcept = default;
  Listener(Listener&& other) noexcept : fd_(other.fd_), address_(other.address_) { other.fd_ = -1; }
  Listener& operator=(Listener&&) = delete;
  ~Listener() { close(); }

  /// Binds and listens; port 0 becomes a free one. False when the kernel refuses; errno says why.
  [[nodiscard]] bool open(const Address& address) noexcept;
  /// Whether the address can be bound by us alone; errno says why not. Listeners share it among the workers,
  /// and so would let a second server in without a word.
  [[nodiscard]] static bool is_free(const Address& address) noexcept;
  /// Connections still queued are reset.
  void close() noexcept;

  [[nodiscard]] Accepted accept() noexcept;

  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
  [[nodiscard]] int fd() const noexcept { return fd_; }
  /// With the port that was bound.
  [[nodiscard]] const Address& address() const noexcept { return address_; }

 private:
  [[nodiscard]] bool set_up() noexcept;

  int fd_ = -1;
  Address address_;
};

}  // namespace signet::server
