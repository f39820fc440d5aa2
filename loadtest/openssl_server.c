// An OpenSSL server to measure ours beside: one thread, epoll, level-triggered, no ticket.
//
//   openssl_server PORT CHAIN KEY [echo] [release]
//
// Answers each GET with a fixed 200, or with `echo` sends back what it receives; `release` is
// SSL_MODE_RELEASE_BUFFERS. It serves peers that read what they are sent: a write that would block waits for
// its peer, up to a second.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { events_at_once = 256, input_bytes = 16384, write_patience = 1000 };

static const char answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nhello 42\n";
static const char head_end[] = "\r\n\r\n";

struct connection {
  SSL* ssl;
  int fd;
  unsigned end_seen;  // octets of head_end that the last ones received are
};

static SSL_CTX* context;
static int loop;
static bool is_echo;

static void fail(const char* what) {
  perror(what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static void use_all_descriptors(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files)) fail("getrlimit");
  files.rlim_cur = files.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &files)) fail("setrlimit");
}

static void make_context(const char* chain, const char* key, bool releases) {
  context = SSL_CTX_new(TLS_server_method());
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) ||
      SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256") != 1 ||
      SSL_CTX_use_certificate_chain_file(context, chain) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1 ||
      !SSL_CTX_set_num_tickets(context, 0))
    fail("openssl_server: context");
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  if (releases) SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static int listen_on(const char* port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) ||  // inherited by what is accepted
      bind(fd, (struct sockaddr*)&name, sizeof name) || listen(fd, 4096))
    fail("openssl_server: listen");
  return fd;
}

static void watch(int fd, struct connection* connection) {
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  if (epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event)) fail("openssl_server: epoll_ctl");
}

static void accept_all(int listener) {
  int fd;
  while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    struct connection* connection = calloc(1, sizeof *connection);
    if (!connection || !(connection->ssl = SSL_new(context)) || !SSL_set_fd(connection->ssl, fd))
      fail("openssl_server: connection");
    connection->fd = fd;
    SSL_set_accept_state(connection->ssl);
    watch(fd, connection);
  }
  if (errno != EAGAIN && errno != ECONNABORTED) fail("openssl_server: accept");
}

static void end(struct connection* connection) {
  if (SSL_is_init_finished(connection->ssl)) SSL_shutdown(connection->ssl);
  SSL_free(connection->ssl);
  close(connection->fd);
  free(connection);
}

static bool write_all(struct connection* connection, const char* octets, int count) {
  int written;
  while ((written = SSL_write(connection->ssl, octets, count)) <= 0) {
    struct pollfd room = {.fd = connection->fd, .events = POLLOUT};
    if (SSL_get_error(connection->ssl, written) != SSL_ERROR_WANT_WRITE ||
        poll(&room, 1, write_patience) != 1)
      return false;
  }
  return written == count;
}

// How many heads end within these octets; a head may come in pieces.
static int heads_ended(struct connection* connection, const char* octets, int count) {
  int heads = 0;
  for (int i = 0; i < count; ++i) {
    if (octets[i] == head_end[connection->end_seen])
      connection->end_seen++;
    else
      connection->end_seen = octets[i] == head_end[0];
    if (connection->end_seen == sizeof head_end - 1) {
      connection->end_seen = 0;
      heads++;
    }
  }
  return heads;
}

static bool respond(struct connection* connection, const char* octets, int count) {
  if (is_echo) return write_all(connection, octets, count);
  for (int left = heads_ended(connection, octets, count); left > 0; --left)
    if (!write_all(connection, answer, sizeof answer - 1)) return false;
  return true;
}

// False when the connection is over.
static bool serve(struct connection* connection) {
  static char input[input_bytes];
  for (;;) {
    ERR_clear_error();
    const int count = SSL_read(connection->ssl, input, sizeof input);
    if (count <= 0) return SSL_get_error(connection->ssl, count) == SSL_ERROR_WANT_READ;
    if (!respond(connection, input, count)) return false;
  }
}

static void run(int listener) {
  struct epoll_event events[events_at_once];
  for (;;) {
    const int count = epoll_wait(loop, events, events_at_once, -1);
    if (count < 0 && errno != EINTR) fail("openssl_server: epoll_wait");
    for (int i = 0; i < count; ++i) {
      struct connection* connection = events[i].data.ptr;
      if (!connection)
        accept_all(listener);
      else if (!serve(connection))
        end(connection);
    }
  }
}

int main(int argc, char** argv) {
  bool releases = false;
  for (int i = 4; i < argc; ++i) {
    if (!strcmp(argv[i], "echo")) is_echo = true;
    if (!strcmp(argv[i], "release")) releases = true;
  }
  if (argc < 4) {
    fputs("usage: openssl_server PORT CHAIN KEY [echo] [release]\n", stderr);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  use_all_descriptors();
  make_context(argv[2], argv[3], releases);
  loop = epoll_create1(EPOLL_CLOEXEC);
  if (loop < 0) fail("openssl_server: epoll_create1");
  const int listener = listen_on(argv[1]);
  watch(listener, NULL);
  run(listener);
}
