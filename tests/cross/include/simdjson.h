// The part of simdjson's document interface that the tests read vectors with, for a processor whose
// libsimdjson is not installed. Numbers that are not whole are passed over; so is the check of UTF-8.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace simdjson {

enum error_code { SUCCESS, NOT_THERE, NOT_THIS_TYPE, NOT_JSON };

namespace dom {

struct Node;

/// The members of an array.
class array {
 public:
  class iterator;
  [[nodiscard]] inline iterator begin() const;
  [[nodiscard]] inline iterator end() const;
  const Node* node = nullptr;
};

/// A value, or what became of the search for one; it lives as long as its parser.
class element {
 public:
  element() = default;
  explicit element(const Node* found) : node_(found) {}

  [[nodiscard]] inline element operator[](std::string_view key) const;
  [[nodiscard]] inline bool is_null() const;
  inline error_code get(element& value) const;
  inline error_code get(array& value) const;
  inline error_code get(std::string_view& value) const;
  inline error_code get(bool& value) const;
  inline error_code get(std::int64_t& value) const;
  inline error_code get(std::uint64_t& value) const;
  [[nodiscard]] element value_unsafe() const { return *this; }

 private:
  friend class object;
  const Node* node_ = nullptr;
};

struct key_value_pair {
  std::string_view key;
  element value;
};

/// The members of an object, in the document's order.
class object {
 public:
  explicit object(element of) : node_(of.node_) {}
  [[nodiscard]] inline std::vector<key_value_pair>::const_iterator begin() const;
  [[nodiscard]] inline std::vector<key_value_pair>::const_iterator end() const;

 private:
  const Node* node_;
};

enum class Kind { null, boolean, whole, other_number, text, array, object };

struct Node {
  Kind kind = Kind::null;
  bool negative = false;
  std::uint64_t number = 0;  // a boolean too
  std::string text;
  std::vector<key_value_pair> members;  // of an array too, without keys
};

class array::iterator {
 public:
  explicit iterator(const key_value_pair* at) : at_(at) {}
  element operator*() const { return at_->value; }
  iterator& operator++() {
    at_++;
    return *this;
  }
  bool operator!=(const iterator& other) const { return at_ != other.at_; }

 private:
  const key_value_pair* at_;
};

array::iterator array::begin() const { return iterator(node->members.data()); }
array::iterator array::end() const { return iterator(node->members.data() + node->members.size()); }

std::vector<key_value_pair>::const_iterator object::begin() const { return node_->members.begin(); }
std::vector<key_value_pair>::const_iterator object::end() const { return node_->members.end(); }

element element::operator[](std::string_view key) const {
  if (node_ == nullptr || node_->kind != Kind::object) return {};
  for (const key_value_pair& member : node_->members) {
    if (member.key == key) return member.value;
  }
  return {};
}

bool element::is_null() const { return node_ != nullptr && node_->kind == Kind::null; }

error_code element::get(element& value) const {
  if (node_ == nullptr) return NOT_THERE;
  value = *this;
  return SUCCESS;
}

error_code element::get(array& value) const {
  if (node_ == nullptr || node_->kind != Kind::array) return NOT_THIS_TYPE;
  value.node = node_;
  return SUCCESS;
}

error_code element::get(std::string_view& value) const {
  if (node_ == nullptr || node_->kind != Kind::text) return NOT_THIS_TYPE;
  value = node_->text;
  return SUCCESS;
}

error_code element::get(bool& value) const {
  if (node_ == nullptr || node_->kind != Kind::boolean) return NOT_THIS_TYPE;
  value = node_->number != 0;
  return SUCCESS;
}

error_code element::get(std::int64_t& value) const {
  if (node_ == nullptr || node_->kind != Kind::whole || node_->number > INT64_MAX) return NOT_THIS_TYPE;
  value =
      node_->negative ? -static_cast<std::int64_t>(node_->number) : static_cast<std::int64_t>(node_->number);
  return SUCCESS;
}

error_code element::get(std::uint64_t& value) const {
  if (node_ == nullptr || node_->kind != Kind::whole || node_->negative) return NOT_THIS_TYPE;
  value = node_->number;
  return SUCCESS;
}

/// Reads one document (RFC 8259) and holds it.
class parser {
 public:
  class Loaded {
   public:
    explicit Loaded(element root, bool good) : root_(root), good_(good) {}
    error_code get(element& value) const {
      if (!good_) return NOT_JSON;
      value = root_;
      return SUCCESS;
    }
    [[nodiscard]] element value_unsafe() const { return root_; }

   private:
    element root_;
    bool good_;
  };

  [[nodiscard]] Loaded load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    return parse(all);
  }

  [[nodiscard]] Loaded parse(std::string_view text) {
    rest_ = text;
    good_ = true;
    const element root = value(0);
    skip_blanks();
    return Loaded(root, good_ && rest_.empty());
  }

 private:
  static constexpr int most_levels = 64;

  Node& node(Kind kind) {
    Node& made = nodes_.emplace_back();
    made.kind = kind;
    return made;
  }

  void skip_blanks() {
    const std::size_t blanks = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(blanks == std::string_view::npos ? rest_.size() : blanks);
  }

  /// Passes over `word` if it is next.
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void require(bool right) { good_ = good_ && right; }

  element value(int level) {
    skip_blanks();
    require(level < most_levels);
    if (!good_) return {};
    if (take("{")) return container(Kind::object, "}", level);
    if (take("[")) return container(Kind::array, "]", level);
    if (rest_.starts_with("\"")) {
      Node& made = node(Kind::text);
      made.text = text();
      return element(&made);
    }
    if (take("null")) return element(&node(Kind::null));
    if (take("false")) return element(&node(Kind::boolean));
    if (!take("true")) return number();
    Node& made = node(Kind::boolean);
    made.number = 1;
    return element(&made);
  }

  element container(Kind kind, std::string_view end, int level) {
    Node& made = node(kind);
    skip_blanks();
    if (take(end)) return element(&made);
    do {
      made.members.push_back({kind == Kind::object ? key() : std::string_view(), value(level + 1)});
      skip_blanks();
    } while (good_ && take(","));
    require(take(end));
    return element(&made);
  }

  std::string_view key() {
    skip_blanks();
    Node& made = node(Kind::text);
    made.text = text();
    skip_blanks();
    require(take(":"));
    return made.text;
  }

  std::string text() {
    std::string all;
    require(take("\""));
    while (good_ && !take("\"")) {
      require(!rest_.empty());
      if (!good_) break;
      if (take("\\")) {
        escape(all);
      } else {
        all += rest_.front();
        rest_.remove_prefix(1);
      }
    }
    return all;
  }

  void escape(std::string& all) {
    constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (take("u")) return append_utf8(all, code_point());
    const std::size_t which = rest_.empty() ? std::string_view::npos : letters.find(rest_.front());
    require(which != std::string_view::npos);
    if (!good_) return;
    all += meant[which];
    rest_.remove_prefix(1);
  }

  std::uint32_t code_unit() {
    constexpr std::string_view digits = "0123456789abcdef";
    std::uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
      const char digit = rest_.empty() ? ' ' : static_cast<char>(rest_.front() | 0x20);
      const std::size_t which = digits.find(digit);
      require(!rest_.empty() && which != std::string_view::npos);
      if (!good_) return 0;
      unit = unit * 16 + static_cast<std::uint32_t>(which);
      rest_.remove_prefix(1);
    }
    return unit;
  }

  std::uint32_t code_point() {
    const std::uint32_t first = code_unit();
    if (first < 0xD800 || first > 0xDBFF) return first;
    require(take("\\u"));
    return 0x10000 + ((first - 0xD800) << 10) + (code_unit() - 0xDC00);
  }

  static void append_utf8(std::string& all, std::uint32_t point) {
    if (point < 0x80) {
      all += static_cast<char>(point);
      return;
    }
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    const std::uint32_t lead = 0xF00U >> (more + 1) & 0xFFU;
    all += static_cast<char>(lead | point >> (6 * more));
    for (int i = more - 1; i >= 0; i--) all += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
  }

  element number() {
    Node& made = node(Kind::whole);
    made.negative = take("-");
    const std::size_t found = rest_.find_first_not_of("0123456789");
    const std::string_view digits = rest_.substr(0, found);
    require(!digits.empty());
    for (const char digit : digits) made.number = made.number * 10 + static_cast<std::uint64_t>(digit - '0');
    rest_.remove_prefix(digits.size());
    const std::size_t fraction = rest_.find_first_not_of("0123456789+-.eE");
    if (fraction != 0 || digits.size() > 19) made.kind = Kind::other_number;
    rest_.remove_prefix(fraction == std::string_view::npos ? rest_.size() : fraction);
    return element(&made);
  }

  std::deque<Node> nodes_;  // whose addresses stay
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace dom
}  // namespace simdjson
