// llhttp's own tests of requests: what our parser takes, llhttp's strict trace has taken too, with the same
// method, target, version, fields, length and end of head. We refuse more, so a refusal is never a fault
// here.
#include <algorithm>

#include <signet/tests/vectors/files.hpp>
#include <signet/tests/vectors/http_heads.hpp>

namespace signet::vectors {
namespace {

using Kind = HttpEvent::Kind;

/// One request of a trace.
struct Traced {
  std::string method, target, version;
  std::vector<HttpField> fields;
  std::uint64_t content_length = 0;
  std::size_t head_end = 0;
  bool head_complete = false;
};

std::size_t number_behind(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos) return 0;
  std::size_t value = 0;
  for (const char c : line.substr(at + name.size())) {
    if (c < '0' || c > '9') break;
    value = value * 10 + static_cast<std::size_t>(c - '0');
  }
  return value;
}

/// The trace prints a span's octets; offset and length say where they are in the input.
std::string span_of(const Octets& input, std::string_view line) {
  const std::size_t at = std::min(number_behind(line, "off="), input.size());
  const std::size_t bytes = std::min(number_behind(line, "len="), input.size() - at);
  return std::string(base::as_text(base::Bytes(input).subspan(at, bytes)));
}

class TraceReader {
 public:
  TraceReader(const Octets& input, Json json) : input_(input) {
    for (const Json line : list(json, "log")) {
      std::string_view words;
      if (line.get(words) == simdjson::SUCCESS) read(words);
    }
  }
  [[nodiscard]] const std::vector<Traced>& requests() const { return requests_; }

 private:
  void read(std::string_view line) {
    const auto tells = [&](const char* words) { return line.find(words) != std::string_view::npos; };
    if (tells(" message begin")) requests_.emplace_back();
    if (requests_.empty()) return;
    Traced& last = requests_.back();
    if (tells(" span[method]=")) last.method += span_of(input_, line);
    if (tells(" span[url]=")) last.target += span_of(input_, line);
    if (tells(" span[version]=")) last.version += span_of(input_, line);
    if (tells(" span[header_field]=")) add_name(last, line);
    if (tells(" span[header_value]=") && !last.fields.empty())
      last.fields.back().value += span_of(input_, line);
    if (tells(" header_field complete")) name_open_ = false;
    if (!tells(" headers complete")) return;
    last.head_complete = true;
    last.head_end = number_behind(line, "off=");
    last.content_length = number_behind(line, "content_length=");
  }

  void add_name(Traced& last, std::string_view line) {
    if (!name_open_) last.fields.emplace_back();
    last.fields.back().name += span_of(input_, line);
    name_open_ = true;
  }

  const Octets& input_;
  std::vector<Traced> requests_;
  bool name_open_ = false;
};

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t") + 1);
  text.erase(0, text.find_first_not_of(" \t"));
  return text;
}

void expect_same(Case& one, const HttpEvent& ours, const Traced& theirs) {
  one.expect(theirs.head_complete, "a head that llhttp did not take");
  one.expect(ours.method == theirs.method, "another method");
  one.expect(ours.target == theirs.target, "another target");
  one.expect((ours.version == 11 ? "1.1" : "1.0") == theirs.version, "another version");
  one.expect(ours.content_length == theirs.content_length, "another Content-Length");
  one.expect(ours.head_end == theirs.head_end, "another end of the head");
  std::vector<HttpField> fields = theirs.fields;
  for (HttpField& field : fields) field.value = trimmed(field.value);
  one.expect(ours.fields == fields, "other fields");
}

/// Why a case is not ours to read; nullptr when it is.
const char* left_out(Json meta) {
  const std::string type = text(meta, "type");
  if (type.rfind("response", 0) == 0) return "responses: a client reads them";
  if (type.find("lenient") != std::string::npos) return "a lenient mode, which is never set";
  if (text(meta, "mode") == "loose") return "llhttp's loose build";
  if (type.empty()) return "a URL alone: llhttp's URL parser is not used";
  return has(meta, "pause") ? "pauses of llhttp's own callbacks" : nullptr;
}

/// llhttp names the methods that it knows; any token is one (RFC 9110 section 9.1), and whoever serves it answers 501.
bool refused_for_method(Json json) { return text(json, "reason").rfind("Invalid method for", 0) == 0; }

/// The same connection with a Host field in its first request, which llhttp does not ask for.
Octets with_host(const Octets& input, std::string_view host) {
  constexpr std::string_view end = "\r\n";
  const auto line_end = std::search(input.begin(), input.end(), end.begin(), end.end());
  if (line_end == input.end()) return input;
  Octets with = {input.begin(), line_end + 2};
  with.insert(with.end(), host.begin(), host.end());
  with.insert(with.end(), line_end + 2, input.end());
  return with;
}

/// Its first request without that field again.
void without_host(HttpEvent& event, std::string_view host) {
  event.head_end -= host.size();
  event.fields.erase(event.fields.begin());
}

void traces(Report& report, Json document) {
  std::size_t compared = 0;
  each_case(report, document, "cases", [&](Case& one, Json json) {
    constexpr std::string_view host = "Host: added\r\n";
    const char* reason = left_out(child(json, "meta"));
    if (reason != nullptr) return one.skip(reason);
    const Octets input = hex(json, "input_hex");
    const TraceReader trace(input, json);
    std::vector<HttpEvent> events = read_connection(input, 0);
    if (events.front().kind == Kind::reject) {
      events = read_connection(with_host(input, host), 0);
      if (events.front().kind == Kind::request) without_host(events.front(), host);
      events.resize(1, events.front());
    }
    if (events.front().kind == Kind::request && refused_for_method(json)) {
      return one.skip("a method that llhttp does not know: read as any other");
    }
    for (std::size_t i = 0; i < events.size() && events[i].kind == Kind::request; i++) {
      one.expect(i < trace.requests().size(), "a request that llhttp did not see");
      if (i < trace.requests().size()) expect_same(one, events[i], trace.requests()[i]);
      compared++;
    }
  });
  report.note(std::to_string(compared) +
              " heads were taken and are the same; the other cases' are refused or not whole");
}

constexpr File files[] = {{"http1/llhttp.json", traces}};

}  // namespace

std::span<const File> llhttp_files() { return files; }

}  // namespace signet::vectors
