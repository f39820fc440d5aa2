// llhttp's own tests of requests: what our parser and decoder take, llhttp's strict trace has taken too, with
// the same method, target, version, fields, length, end of head, body and trailers. Where one of the two
// serves what the other does not, the case is listed with its reason.
#include <algorithm>
#include <map>

#include <signet/http/ascii.hpp>
#include <signet/tests/vectors/files.hpp>
#include <signet/tests/vectors/http_heads.hpp>

namespace signet::vectors {
namespace {

using Kind = HttpEvent::Kind;

/// One request of a trace.
struct Traced {
  std::string method, target, version, body;
  std::vector<HttpField> fields, trailers;
  std::uint64_t content_length = 0;
  std::size_t version_end = 0;  // offset behind it, if there is one
  std::size_t head_end = 0;
  bool head_complete = false;
  bool complete = false;
};

/// A case that we answer otherwise than llhttp does; the reason is for the reader.
struct Difference {
  std::uint64_t id;
  const char* reason;
};

constexpr Difference differences[] = {
    {2, "a PUT of HTTP/1.0 without Content-Length: 411"},
    {10, "a folded field: 400"},
    {12, "a folded field: 400"},
    {21, "a Content-Length that is too large is refused when its head is whole"},
    {33, "llhttp is told to pass over the body, for which we wait"},
    {40, "a method of RTSP: any token is a method, and whoever serves it answers 501"},
    {51, "a version is refused when its head is whole"},
    {60, "CONNECT with a Content-Length: llhttp leaves the body to its caller, we read it"},
    {61, "the target * with another method than OPTIONS: 400"},
    {94, "HTTP/0.9: 400"},
    {95, "a folded field: 400"},
    {100, "a folded field: 400"},
    {133, "a fragment in a target: 400"},
    {135, "user information in a target: 400"},
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
  [[nodiscard]] std::size_t served() const {
    return static_cast<std::size_t>(
        std::count_if(requests_.begin(), requests_.end(), [](const Traced& one) { return one.complete; }));
  }
  /// Whether it ends with an error, which pauses and octets behind the last request are not.
  [[nodiscard]] bool refused() const { return refused_; }

 private:
  void read(std::string_view line) {
    const auto tells = [&](const char* words) { return line.find(words) != std::string_view::npos; };
    if (tells(" message begin")) requests_.emplace_back();
    if (tells(" error code="))
      refused_ = !tells("Pause on CONNECT") && !tells("Data after `Connection: close`");
    if (requests_.empty()) return;
    Traced& last = requests_.back();
    if (tells(" span[method]=")) last.method += span_of(input_, line);
    if (tells(" span[url]=")) last.target += span_of(input_, line);
    if (tells(" span[version]=")) last.version += span_of(input_, line);
    if (tells(" span[header_field]=")) add_name(last, line);
    if (tells(" version complete")) last.version_end = number_behind(line, "off=");
    if (tells(" span[body]=")) last.body += span_of(input_, line);
    if (tells(" span[header_value]=") && !fields_of(last).empty())
      fields_of(last).back().value += span_of(input_, line);
    if (tells(" message complete")) last.complete = true;
    if (tells(" header_field complete")) name_open_ = false;
    if (!tells(" headers complete")) return;
    last.head_complete = true;
    last.head_end = number_behind(line, "off=");
    last.content_length = number_behind(line, "content_length=");
  }

  void add_name(Traced& last, std::string_view line) {
    if (!name_open_) fields_of(last).emplace_back();
    fields_of(last).back().name += span_of(input_, line);
    name_open_ = true;
  }

  static std::vector<HttpField>& fields_of(Traced& one) {
    return one.head_complete ? one.trailers : one.fields;
  }

  const Octets& input_;
  std::vector<Traced> requests_;
  bool name_open_ = false;
  bool refused_ = false;
};

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \t") + 1);
  text.erase(0, text.find_first_not_of(" \t"));
  return text;
}

std::vector<HttpField> trimmed(std::vector<HttpField> fields) {
  for (HttpField& field : fields) field.value = trimmed(field.value);
  return fields;
}

/// Whether `some` are among `all`, in their order: fields that come too late are left out.
bool are_among(const std::vector<HttpField>& some, const std::vector<HttpField>& all) {
  auto at = all.begin();
  for (const HttpField& field : some) {
    at = std::find(at, all.end(), field);
    if (at++ == all.end()) return false;
  }
  return true;
}

void expect_same(Case& one, const HttpEvent& ours, const Traced& theirs) {
  one.expect(theirs.complete, "a request that llhttp did not take");
  one.expect(ours.method == theirs.method, "another method");
  one.expect(ours.target == theirs.target, "another target");
  one.expect((ours.version == 11 ? "1.1" : "1.0") == theirs.version, "another version");
  one.expect(ours.content_length == theirs.content_length, "another Content-Length");
  one.expect(ours.head_end == theirs.head_end, "another end of the head");
  one.expect(ours.fields == trimmed(theirs.fields), "other fields");
  one.expect(are_among(ours.trailers, trimmed(theirs.trailers)), "other trailers");
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

constexpr std::string_view host_line = "Host: added\r\n";

/// Whether it lacks the Host field, which llhttp does not ask for.
bool lacks_host(const Traced& one) {
  if (one.version != "1.1" || one.version_end == 0) return false;
  return std::none_of(one.fields.begin(), one.fields.end(),
                      [](const HttpField& field) { return http::equal_ignoring_case(field.name, "Host"); });
}

/// The same connection with a Host field in each request that lacks one.
Octets with_hosts(const Octets& input, const TraceReader& trace) {
  constexpr std::string_view end = "\r\n";
  Octets with;
  auto from = input.begin();
  for (const Traced& one : trace.requests()) {
    const auto version_end = input.begin() + static_cast<std::ptrdiff_t>(one.version_end);
    const auto line_end = std::search(version_end, input.end(), end.begin(), end.end());
    if (!lacks_host(one) || line_end == input.end()) continue;
    with.insert(with.end(), from, line_end + 2);
    with.insert(with.end(), host_line.begin(), host_line.end());
    from = line_end + 2;
  }
  with.insert(with.end(), from, input.end());
  return with;
}

/// Takes the added fields out again.
void without_hosts(std::vector<HttpEvent>& events, const TraceReader& trace) {
  std::size_t added = 0;
  for (std::size_t i = 0; i < std::min(events.size(), trace.requests().size()); i++) {
    const bool lacked = lacks_host(trace.requests()[i]);
    if (lacked) added += host_line.size();
    if (lacked && !events[i].fields.empty()) events[i].fields.erase(events[i].fields.begin());
    events[i].head_end -= events[i].kind == Kind::request ? added : 0;
  }
}

const Difference* listed(Json json) {
  const auto* found = std::find_if(std::begin(differences), std::end(differences),
                                   [&](const Difference& one) { return one.id == number(json, "id"); });
  return found == std::end(differences) ? nullptr : found;
}

bool have_same_bodies(const std::vector<HttpEvent>& events, const TraceReader& trace) {
  for (std::size_t i = 0; i < trace.served(); i++) {
    if (base::as_text(events[i].body) != trace.requests()[i].body) return false;
  }
  return true;
}

/// How the two connections were answered otherwise; empty when they did not.
std::string difference(const std::vector<HttpEvent>& events, const TraceReader& trace) {
  const auto served = static_cast<std::size_t>(std::count_if(
      events.begin(), events.end(), [](const HttpEvent& event) { return event.kind == Kind::request; }));
  const bool refused = events.back().kind == Kind::reject;
  if (served == trace.served() && refused == trace.refused()) {
    return have_same_bodies(events, trace) ? "" : "another body";
  }
  const auto told = [](std::size_t count, bool reject) {
    return std::to_string(count) + (reject ? " served, then refused" : " served");
  };
  return told(served, refused) + " where llhttp has " + told(trace.served(), trace.refused());
}

void traces(Report& report, Json document) {
  std::size_t compared = 0;
  std::map<std::string, std::size_t> reasons;
  each_case(report, document, "cases", [&](Case& one, Json json) {
    const char* reason = left_out(child(json, "meta"));
    if (reason != nullptr) return one.skip(reason);
    const Octets input = hex(json, "input_hex");
    const TraceReader trace(input, json);
    std::vector<HttpEvent> events = read_connection(with_hosts(input, trace), 0);
    without_hosts(events, trace);
    const Difference* known = listed(json);
    const std::string differs = difference(events, trace);
    one.expect(differs.empty() == (known == nullptr),
               differs.empty() ? "no difference, though one is listed" : differs);
    if (known != nullptr) reasons[known->reason]++;
    for (std::size_t i = 0; i < std::min(events.size(), trace.served()) && events[i].kind == Kind::request;
         i++) {
      expect_same(one, events[i], trace.requests()[i]);
      compared++;
    }
  });
  report.note(std::to_string(compared) + " requests were taken and are the same");
  for (const auto& [reason, cases] : reasons)
    report.note("otherwise than llhttp in " + std::to_string(cases) + ": " + reason);
}

constexpr File files[] = {{"http1/llhttp.json", traces}};

}  // namespace

std::span<const File> llhttp_files() { return files; }

}  // namespace signet::vectors
