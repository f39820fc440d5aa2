// Handlers that do what they must not, and a client that lets them: `misuse WHAT` serves two requests over
// plain HTTP. Under AddressSanitizer each use of a view that was kept too long ends the program with a
// report.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <unistd.h>

#include <signet/signet.hpp>

namespace {

using namespace signet;

std::string_view kept;  // what a handler keeps of its request

/// Reads every octet, so that nothing of it can be left out.
std::size_t read_kept() {
  std::size_t sum = 0;
  for (const char octet : kept) sum += static_cast<unsigned char>(octet);
  return sum;
}

void answer_with_kept(Response& response) { response.text(status::ok, std::to_string(read_kept()), "\n"); }

void keep_body(const Request& request, Response&) { kept = request.body(); }
void keep_header(const Request& request, Response&) { kept = request.header("X-Kept"); }
void keep_parameter(const Request& request, Response&) { kept = request.param("name"); }
void keep_target(const Request& request, Response&) { kept = request.target(); }

/// A stream may use nothing of the request: its octets are let go when the head is made.
void stream_of_view(const Request& request, Response& response) {
  response.stream([target = request.target()](Stream& stream) {
    kept = target;
    stream.write(std::to_string(read_kept()));
    stream.end();
  });
}

/// What a handler may do: within its call.
void use_in_time(const Request& request, Response& response) {
  kept = request.body();
  answer_with_kept(response);
}

int connect_to(const server::Address& to) {
  sockaddr_storage name;
  const socklen_t size = to.to(name);
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd >= 0 && connect(fd, reinterpret_cast<sockaddr*>(&name), size) == 0 ? fd : -1;
}

/// Sends all of it and reads until the server closes.
std::string ask(const server::Address& to, std::string_view octets) {
  std::string answer;
  const int fd = connect_to(to);
  if (fd < 0 || send(fd, octets.data(), octets.size(), MSG_NOSIGNAL) < 0) std::exit(2);
  shutdown(fd, SHUT_WR);
  char piece[4096];
  for (ssize_t n; (n = recv(fd, piece, sizeof piece, 0)) > 0;)
    answer.append(piece, static_cast<std::size_t>(n));
  close(fd);
  return answer;
}

// Longer than the second request, which may come to the same place, and what is read behind it: what it
// covers is its own and no fault.
#define LONG_PART                                                    \
  "a-part-of-the-path-that-is-longer-than-all-of-the-second-request" \
  "-and-the-padding-behind-it-which-a-reader-of-json-may-load-too-so-that-some-of-it-is-seen"
constexpr std::string_view first = "POST /first/%41" LONG_PART
                                   " HTTP/1.1\r\nHost: x\r\nX-Kept: a field's value\r\n"
                                   "Content-Length: 32\r\n\r\n0123456789abcdef0123456789abcdef";
constexpr std::string_view without_body = "GET /first/" LONG_PART " HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::string_view second = "GET /second HTTP/1.1\r\nHost: x\r\n\r\n";

const std::map<std::string_view, std::function<void(const Request&, Response&)>> misuses = {
    {"body", keep_body},     {"header", keep_header},    {"parameter", keep_parameter},
    {"target", keep_target}, {"stream", stream_of_view}, {"nothing", use_in_time},
};

int usage() {
  std::fprintf(stderr, "usage: misuse body|header|parameter|target|stream|nothing [pipelined]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  const auto misuse = misuses.find(argc > 1 ? argv[1] : "");
  if (misuse == misuses.end()) return usage();
  const bool pipelined = argc > 2 && std::string_view(argv[2]) == "pipelined";
  App app;
  app.post("/first/{name}", misuse->second);
  app.get("/first/{name}", misuse->second);
  app.get("/second", [](const Request&, Response& response) { answer_with_kept(response); });
  Options options;
  options.listen = {"127.0.0.1:0"};
  options.plain = true;
  options.workers = 1;
  auto started = app.start(options);
  if (!started.ok()) return std::fprintf(stderr, "%s\n", started.error().c_str()), 3;
  const server::Address& address = (*started)->addresses().front();
  std::string answer;
  if (misuse->first == "stream") {
    answer = ask(address, without_body);
  } else if (pipelined) {
    answer = ask(address, std::string(first) + std::string(second));
  } else {
    answer = ask(address, first);
    if (misuse->first != "nothing") answer += ask(address, second);
  }
  std::fputs(answer.c_str(), stdout);
  std::puts("served to the end");
  return 0;
}
