#include <algorithm>

#include <signet/http/chunked.hpp>
#include <signet/http/trailers.hpp>
#include <signet/tests/vectors/http_heads.hpp>

namespace signet::vectors {
namespace {

using Kind = HttpEvent::Kind;

std::vector<HttpField> copy_of(std::span<const http::Header> headers) {
  std::vector<HttpField> fields;
  for (const http::Header& header : headers)
    fields.push_back({std::string(header.name), std::string(header.value)});
  return fields;
}

/// Reads a connection as its octets come; only what has come and is not consumed is there, in an allocation
/// of exactly its size.
class ConnectionReader {
 public:
  void receive(base::Bytes octets) {
    if (over_) return;
    Octets longer;
    longer.reserve(waiting_.size() + octets.size());
    longer.assign(waiting_.begin(), waiting_.end());
    longer.insert(longer.end(), octets.begin(), octets.end());
    waiting_.swap(longer);
    while (!over_ && step()) {
    }
  }

  std::vector<HttpEvent> end() {
    const bool idle = !in_body_ && (waiting_.empty() || parser_.idle());
    if (!over_) add(idle ? Kind::idle : Kind::wait);
    return std::move(events_);
  }

 private:
  /// Whether there may be more to do with what came.
  bool step() {
    if (!in_body_) return !waiting_.empty() && read_head();
    return chunked_ ? read_chunks() : read_counted();
  }

  bool read_head() {
    base::Region* region = base::Region::open();
    http::RequestHead head;
    const auto state = parser_.parse(waiting_, http::Limits{}, *region, head);
    if (state == http::Parser::State::complete) begin_request(head);
    if (state == http::Parser::State::refused) end_with(Kind::reject);
    region->close();
    return in_body_;
  }

  void begin_request(const http::RequestHead& head) {
    request_ = HttpEvent{};
    request_.kind = Kind::request;
    request_.method = head.method_string;
    request_.target = head.target;
    request_.version = head.version;
    request_.content_length = head.content_length;
    request_.head_end = consumed_ + parser_.head_bytes();
    request_.fields = copy_of(head.headers);
    consume(parser_.head_bytes());  // the views are gone
    chunked_ = head.chunked;
    keep_alive_ = head.keep_alive;
    in_body_ = true;
  }

  bool read_counted() {
    if (waiting_.size() < request_.content_length) return false;
    const auto bytes = static_cast<std::size_t>(request_.content_length);
    request_.body.assign(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(bytes));
    consume(bytes);
    end_request();
    return true;
  }

  bool read_chunks() {
    using State = http::ChunkedDecoder::State;
    const auto step = decoder_.next(waiting_, http::Limits{});
    if (step.state == State::data)
      request_.body.insert(request_.body.end(), step.data.begin(), step.data.end());
    if (step.state == State::end) read_trailers(base::as_text(step.data));
    consume(step.consumed);
    if (step.state == State::end) end_request();
    if (step.state == State::refused) end_with(Kind::reject);
    return step.state == State::data || step.state == State::end;
  }

  void read_trailers(std::string_view section) {
    base::Region* region = base::Region::open();
    if (const auto trailers = http::read_trailers(section, *region)) request_.trailers = copy_of(*trailers);
    region->close();
  }

  void end_request() {
    events_.push_back(std::move(request_));
    in_body_ = false;
    parser_ = http::Parser();
    decoder_ = http::ChunkedDecoder();
    if (!keep_alive_) end_with(Kind::close);
  }

  void end_with(Kind kind) {
    add(kind);
    over_ = true;
  }

  void add(Kind kind) {
    events_.emplace_back();
    events_.back().kind = kind;
  }

  void consume(std::size_t bytes) {
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(bytes));
    waiting_.shrink_to_fit();
    consumed_ += bytes;
  }

  Octets waiting_;
  std::size_t consumed_ = 0;
  http::Parser parser_;
  http::ChunkedDecoder decoder_;
  HttpEvent request_{};
  bool in_body_ = false;
  bool chunked_ = false;
  bool keep_alive_ = false;
  bool over_ = false;
  std::vector<HttpEvent> events_;
};

}  // namespace

std::vector<HttpEvent> read_connection(const Octets& octets, std::size_t piece) {
  ConnectionReader reader;
  const std::size_t step = piece == 0 ? std::max<std::size_t>(octets.size(), 1) : piece;
  for (std::size_t at = 0; at < octets.size(); at += step) {
    reader.receive(base::Bytes(octets).subspan(at, std::min(step, octets.size() - at)));
  }
  return reader.end();
}

std::vector<HttpEvent> read_cut_connection(const Octets& octets, std::size_t cut) {
  ConnectionReader reader;
  reader.receive(base::Bytes(octets).first(cut));
  reader.receive(base::Bytes(octets).subspan(cut));
  return reader.end();
}

}  // namespace signet::vectors
