// Load for the tests of allocations and memory: an OpenSSL client that makes full TLS 1.3 handshakes, kept
// requests, or connections that are held. It trusts every certificate; the servers are the tests' own, on
// 127.0.0.1.
//
//   load_client handshakes PORT COUNT           one after the other, each with close_notify both ways
//   load_client requests   PORT COUNT PATH      kept GETs from eight connections in turn, one handshake each
//   load_client posts      PORT COUNT PATH BODY likewise: JSON with eight more fields, every second body in a record
//                                               of its own
//   load_client hold       PORT COUNT           says "held COUNT", keeps them until its standard input ends
//   load_client stall      PORT PATH            asks, reads nothing of the answer, says "stalled", likewise
//   load_client half       PORT                 stops in front of its Finished, says "half", likewise
//
// Exit 0 when all went well; otherwise 1, with the reason.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kept_connections = 8, source_addresses = 64, answer_bytes = 65536 };

static int port;
static SSL_CTX* context;

static void fail(const char* what) {
  fprintf(stderr, "load_client: %s\n", what);
  ERR_print_errors_fp(stderr);
  exit(1);
}

static long number(const char* text) {
  char* end;
  long value = strtol(text, &end, 10);
  if (*end || value <= 0) fail("a count or port is no positive number");
  return value;
}

// Source addresses alternate, so that closed connections do not use up the ports of one.
static int connect_socket(long index) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in from = {.sin_family = AF_INET};
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + (uint32_t)(index % source_addresses));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int on = 1;
  if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) ||
      setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on) ||
      bind(fd, (struct sockaddr*)&from, sizeof from) || connect(fd, (struct sockaddr*)&to, sizeof to)) {
    perror("load_client: connect");
    exit(1);
  }
  return fd;
}

static SSL* connect_tls(long index) {
  SSL* ssl = SSL_new(context);
  if (!ssl || !SSL_set_fd(ssl, connect_socket(index))) fail("no connection object");
  if (SSL_connect(ssl) != 1) fail("handshake");
  return ssl;
}

static void disconnect(SSL* ssl) {
  int fd = SSL_get_fd(ssl);
  char rest[16];
  if (SSL_shutdown(ssl) < 0) fail("close_notify");
  if (SSL_read(ssl, rest, sizeof rest) > 0) fail("data behind our close_notify");
  if (SSL_get_shutdown(ssl) != (SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)) fail("no close_notify came back");
  SSL_free(ssl);
  close(fd);
}

static void handshakes(long count) {
  for (long i = 0; i < count; ++i) disconnect(connect_tls(i));
}

static void ask(SSL* ssl, const char* path) {
  char request[512];
  int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
  if (SSL_write(ssl, request, length) != length) fail("request");
}

// Reads one answer with a Content-Length; it must be a 200.
static void read_answer(SSL* ssl) {
  static char answer[answer_bytes];
  size_t have = 0, whole = 0;
  while (whole == 0 || have < whole) {
    int got = SSL_read(ssl, answer + have, (int)(sizeof answer - 1 - have));
    if (got <= 0) fail("the connection ended within an answer");
    have += (size_t)got;
    answer[have] = 0;
    char* body = strstr(answer, "\r\n\r\n");
    char* length = body ? strcasestr(answer, "\r\ncontent-length:") : NULL;
    if (body && !length) fail("an answer without Content-Length");
    if (body) whole = (size_t)(body + 4 - answer) + strtoul(length + 17, NULL, 10);
    if (whole >= sizeof answer) fail("an answer that is too long");
  }
  if (strncmp(answer, "HTTP/1.1 200 ", 13) != 0 || have != whole) fail("an answer that is not 200");
}

// What a browser's script sends; `apart`: the body in a record of its own.
static void post(SSL* ssl, const char* path, const char* json, int apart) {
  char request[2048];
  int head = snprintf(request, sizeof request,
                      "POST %s HTTP/1.1\r\nHost: localhost\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n"
                      "Accept: application/json\r\nAccept-Language: en-GB,en;q=0.7\r\n"
                      "Accept-Encoding: gzip, deflate, br\r\nOrigin: https://localhost\r\n"
                      "Cookie: session=0123456789abcdef\r\nReferer: https://localhost/form\r\n"
                      "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                      path, strlen(json));
  int whole = head + snprintf(request + head, sizeof request - (size_t)head, "%s", json);
  if (whole >= (int)sizeof request) fail("a body that is too long");
  int first = apart ? head : whole;
  if (SSL_write(ssl, request, first) != first) fail("request");
  if (first != whole && SSL_write(ssl, request + first, whole - first) != whole - first) fail("request body");
}

// GET, or with `json` POST.
static void requests(long count, const char* path, const char* json) {
  SSL* kept[kept_connections];
  for (int i = 0; i < kept_connections; ++i) kept[i] = connect_tls(i);
  for (long i = 0; i < count; ++i) {
    SSL* ssl = kept[i % kept_connections];
    if (json)
      post(ssl, path, json, (i / kept_connections % 2) != 0);
    else
      ask(ssl, path);
    read_answer(kept[i % kept_connections]);
  }
  for (int i = 0; i < kept_connections; ++i) disconnect(kept[i]);
}

static void wait_for_end(const char* announcement) {
  char rest[64];
  puts(announcement);
  fflush(stdout);
  while (read(STDIN_FILENO, rest, sizeof rest) > 0) continue;
}

static void hold(long count) {
  SSL** held = calloc((size_t)count, sizeof *held);
  if (!held) fail("memory");
  for (long i = 0; i < count; ++i) held[i] = connect_tls(i);
  char announcement[64];
  snprintf(announcement, sizeof announcement, "held %ld", count);
  wait_for_end(announcement);
  for (long i = 0; i < count; ++i) disconnect(held[i]);
  free(held);
}

static void stall(const char* path) {
  ask(connect_tls(0), path);
  wait_for_end("stalled");
}

// The ClientHello goes out, the server's flight is left unread.
static void half(void) {
  SSL* ssl = SSL_new(context);
  BIO* in = BIO_new(BIO_s_mem());
  int fd = connect_socket(0);
  if (!ssl || !in) fail("memory");
  SSL_set_bio(ssl, in, BIO_new_socket(fd, BIO_NOCLOSE));
  if (SSL_connect(ssl) != -1) fail("the handshake ended by itself");
  wait_for_end("half");
}

int main(int argc, char** argv) {
  if (argc < 3) fail("usage: load_client MODE PORT [COUNT] [PATH] [BODY]");
  const char* mode = argv[1];
  port = (int)number(argv[2]);
  signal(SIGPIPE, SIG_IGN);
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  context = SSL_CTX_new(TLS_client_method());
  if (!context || !SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)) fail("context");
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);

  if (argc == 4 && !strcmp(mode, "handshakes"))
    handshakes(number(argv[3]));
  else if (argc == 5 && !strcmp(mode, "requests"))
    requests(number(argv[3]), argv[4], NULL);
  else if (argc == 6 && !strcmp(mode, "posts"))
    requests(number(argv[3]), argv[4], argv[5]);
  else if (argc == 4 && !strcmp(mode, "hold"))
    hold(number(argv[3]));
  else if (argc == 4 && !strcmp(mode, "stall"))
    stall(argv[3]);
  else if (argc == 3 && !strcmp(mode, "half"))
    half();
  else
    fail("unknown mode or wrong number of arguments");
  SSL_CTX_free(context);
  return 0;
}
