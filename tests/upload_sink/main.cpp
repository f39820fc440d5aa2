// Takes bodies piece by piece and answers what they were: "LENGTH SHA-256". /upload takes them as they come,
// /paced no more than a little at a time, so that what is not taken must wait in the client.
#include <memory>
#include <string>

#include <signet/crypto/sha2.hpp>
#include <signet/signet.hpp>
#include <signet/tests/support/later.hpp>

namespace {

using signet::Receiver;
using signet::Request;
using signet::Response;
using signet::status;
using signet::Upload;
using signet::verb;
using signet::test::Later;

constexpr std::size_t paced_bytes = 32 * 1024;

class Sum {
 public:
  void add(std::string_view octets) {
    digest_.update(signet::base::as_bytes(octets));
    count_ += octets.size();
  }

  void answer(Response& response) {
    std::uint8_t digest[signet::crypto::Sha256::digest_bytes];
    digest_.finish(digest);
    std::string text = std::to_string(count_) + ' ';
    for (const std::uint8_t octet : digest) {
      text += "0123456789abcdef"[octet >> 4];
      text += "0123456789abcdef"[octet & 15];
    }
    response.text(status::ok, text, "\n");
  }

 private:
  signet::crypto::Sha256 digest_;
  std::uint64_t count_ = 0;
};

Receiver take(const Request&, Response&) {
  return [sum = std::make_shared<Sum>()](Upload& upload, Response& response) {
    sum->add(upload.data());
    if (upload.last()) sum->answer(response);
  };
}

Receiver take_slowly(Later& later) {
  return [&later, sum = std::make_shared<Sum>()](Upload& upload, Response& response) {
    const std::string_view piece = upload.data().substr(0, paced_bytes);
    sum->add(piece);
    if (upload.last() && piece.size() == upload.data().size()) return sum->answer(response);
    upload.wait_after(piece.size());
    later.after(std::chrono::milliseconds(1), [waker = upload.waker()] { waker.wake(); });
  };
}

}  // namespace

int main(int argc, char** argv) {
  signet::Options options;
  if (const auto code = options.parse(argc, argv, "Takes uploads and sums them up")) return *code;
  Later later;
  signet::App app;
  app.upload(verb::put, "/upload", take);
  app.upload(verb::put, "/paced", [&later](const Request&, Response&) { return take_slowly(later); });
  return app.run(options);
}
