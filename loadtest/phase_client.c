// Takes connections from phase to phase for loadtest/memory, as its standard input says, a word a line:
//
//   phase_client PORT COUNT
//   silent       connected, nothing is sent
//   handshake    a ClientHello on each, the server's flight is left unread
//   established  connected, and the handshake done
//   echoed       16 KiB sent and received on each, one after the other
//   at_once      likewise, but sent on all before any is received
//   half         8 KiB of a record of 16 KiB on each
//   alive        no phase: how many connections the server did not end
//
// handshake follows silent; the last three follow established. Each word is answered with itself and the
// number of connections. Exit 0 at the input's end; 1, with the reason, when anything fails.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { message_bytes = 16384, patience_seconds = 60 };

static SSL_CTX* context;
static SSL** connections;
static int* sockets;
static int count, port;
static char message[message_bytes];

static void fail(const char* what) {
  fprintf(stderr, "phase_client: ");
  perror(what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static void connect_all(void) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const struct timeval patience = {.tv_sec = patience_seconds};
  for (int i = 0; i < count; ++i) {
    sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (sockets[i] < 0 || setsockopt(sockets[i], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) ||
        setsockopt(sockets[i], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) ||
        connect(sockets[i], (struct sockaddr*)&to, sizeof to))
      fail("connect");
  }
}

static SSL* tls_on(int i) {
  connections[i] = SSL_new(context);
  if (!connections[i]) fail("connection object");
  return connections[i];
}

// What is read comes from memory, where nothing is: the client stops behind its ClientHello.
static void say_hello(int i) {
  SSL* ssl = tls_on(i);
  SSL_set_bio(ssl, BIO_new(BIO_s_mem()), BIO_new_socket(sockets[i], BIO_NOCLOSE));
  if (SSL_connect(ssl) != -1) fail("the handshake ended by itself");
}

static void shake_hands(int i) {
  SSL* ssl = tls_on(i);
  if (!SSL_set_fd(ssl, sockets[i]) || SSL_connect(ssl) != 1) fail("handshake");
}

static void send_message(int i) {
  if (SSL_write(connections[i], message, message_bytes) != message_bytes) fail("send");
}

static void receive_message(int i) {
  static char octets[message_bytes];
  for (int have = 0; have < message_bytes;) {
    const int got = SSL_read(connections[i], octets, message_bytes - have);
    if (got <= 0) fail("receive");
    have += got;
  }
}

static void echo(int i) {
  send_message(i);
  receive_message(i);
}

static void send_half_record(int i) {
  static const unsigned char header[] = {23, 3, 3, 0x40, 0x11};  // 16,384 octets, their type, and a tag
  if (send(sockets[i], header, sizeof header, MSG_MORE | MSG_NOSIGNAL) != sizeof header ||
      send(sockets[i], message, message_bytes / 2, MSG_NOSIGNAL) != message_bytes / 2)
    fail("half a record");
}

static int alive(void) {
  int all = 0;
  for (int i = 0; i < count; ++i) {
    struct pollfd ended = {.fd = sockets[i], .events = POLLRDHUP};
    all += poll(&ended, 1, 0) == 0;
  }
  return all;
}

static void on_each(void (*step)(int)) {
  for (int i = 0; i < count; ++i) step(i);
}

static void enter(const char* phase) {
  if (!strcmp(phase, "silent")) {
    connect_all();
  } else if (!strcmp(phase, "handshake")) {
    on_each(say_hello);
  } else if (!strcmp(phase, "established")) {
    connect_all();
    on_each(shake_hands);
  } else if (!strcmp(phase, "echoed")) {
    on_each(echo);
  } else if (!strcmp(phase, "at_once")) {
    on_each(send_message);
    on_each(receive_message);
  } else if (!strcmp(phase, "half")) {
    on_each(send_half_record);
  } else if (strcmp(phase, "alive") != 0) {
    fail("unknown phase");
  }
}

static void prepare(void) {
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files)) fail("getrlimit");
  files.rlim_cur = files.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &files)) fail("setrlimit");
  signal(SIGPIPE, SIG_IGN);
  connections = calloc((size_t)count, sizeof *connections);
  sockets = calloc((size_t)count, sizeof *sockets);
  context = SSL_CTX_new(TLS_client_method());
  if (!connections || !sockets || !context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION))
    fail("memory");
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

int main(int argc, char** argv) {
  char phase[32];
  if (argc != 3 || (port = atoi(argv[1])) <= 0 || (count = atoi(argv[2])) <= 0) {
    fputs("usage: phase_client PORT COUNT\n", stderr);
    return 2;
  }
  prepare();
  while (scanf("%31s", phase) == 1) {
    enter(phase);
    printf("%s %d\n", phase, strcmp(phase, "alive") ? count : alive());
    fflush(stdout);
  }
}
