// Reading and writing the presentation language of TLS (RFC 8446 section 3): big-endian numbers and
// length-prefixed vectors over octets that somebody else owns.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::tls {

/// Takes fields off the front of a view. The first field that is not there makes the reader fail for good: it
/// is then empty, answers zeros and empty views, and ok() says so. So a parser reads all fields and asks
/// once.
class Reader {
 public:
  Reader() noexcept = default;
  explicit Reader(base::Bytes bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] bool empty() const noexcept { return rest_.empty(); }
  /// Everything was read and nothing was missing.
  [[nodiscard]] bool done() const noexcept { return ok_ && rest_.empty(); }
  /// What was not read yet.
  [[nodiscard]] base::Bytes rest() const noexcept { return rest_; }

  std::uint8_t u8() noexcept {
    const base::Bytes field = bytes(1);
    return field.empty() ? std::uint8_t{0} : field[0];
  }
  std::uint16_t u16() noexcept {
    const base::Bytes field = bytes(2);
    return field.empty() ? std::uint16_t{0} : base::load_be16(field.data());
  }
  std::uint32_t u24() noexcept {
    const base::Bytes field = bytes(3);
    return field.empty() ? 0 : base::load_be24(field.data());
  }
  std::uint32_t u32() noexcept {
    const base::Bytes field = bytes(4);
    return field.empty() ? 0 : base::load_be32(field.data());
  }
  /// The next `count` octets, or none of them.
  base::Bytes bytes(std::size_t count) noexcept {
    if (count > rest_.size()) return fail();
    const base::Bytes field = rest_.first(count);
    rest_ = rest_.subspan(count);
    return field;
  }
  /// The content of a vector whose length has 1, 2 or 3 octets.
  base::Bytes vector8() noexcept { return bytes(u8()); }
  base::Bytes vector16() noexcept { return bytes(u16()); }
  base::Bytes vector24() noexcept { return bytes(u24()); }

  /// Fails the reader: for a field that is there and wrong.
  base::Bytes fail() noexcept {
    rest_ = {};
    ok_ = false;
    return {};
  }

 private:
  base::Bytes rest_;
  bool ok_ = true;
};

/// Appends fields to a view. What does not fit is left out and ok() says so from then on; nothing is written
/// past the end, so a caller asks once, after the last field.
class Writer {
 public:
  explicit Writer(base::MutBytes room) noexcept : room_(room) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// What was written, all of it or from octet `from` on (from <= size()).
  [[nodiscard]] base::Bytes written() const noexcept { return room_.first(size_); }
  [[nodiscard]] base::Bytes written_from(std::size_t from) const noexcept { return written().subspan(from); }

  void u8(std::uint8_t v) noexcept {
    if (std::uint8_t* p = take(1)) *p = v;
  }
  void u16(std::uint16_t v) noexcept {
    if (std::uint8_t* p = take(2)) base::store_be16(p, v);
  }
  /// `v` below 2^24.
  void u24(std::uint32_t v) noexcept {
    if (std::uint8_t* p = take(3)) base::store_be24(p, v);
  }
  void u32(std::uint32_t v) noexcept {
    if (std::uint8_t* p = take(4)) base::store_be32(p, v);
  }
  void bytes(base::Bytes v) noexcept {
    if (std::uint8_t* p = take(v.size()); p != nullptr && !v.empty()) std::memcpy(p, v.data(), v.size());
  }
  /// Room for `count` octets that the caller fills; empty when there is none.
  [[nodiscard]] base::MutBytes reserve(std::size_t count) noexcept {
    std::uint8_t* p = take(count);
    return p == nullptr ? base::MutBytes{} : base::MutBytes{p, count};
  }
  void vector8(base::Bytes v) noexcept;
  void vector16(base::Bytes v) noexcept;
  void vector24(base::Bytes v) noexcept;

  /// A length that is written when the scope ends: everything written meanwhile is the vector's content.
  class Scope {
   public:
    Scope(Writer& writer, std::size_t width) noexcept : writer_(writer), start_(writer.size_), width_(width) {
      (void)writer.take(width);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { writer_.close(start_, width_); }

   private:
    Writer& writer_;
    std::size_t start_;
    std::size_t width_;
  };
  [[nodiscard]] Scope open8() noexcept { return Scope(*this, 1); }
  [[nodiscard]] Scope open16() noexcept { return Scope(*this, 2); }
  [[nodiscard]] Scope open24() noexcept { return Scope(*this, 3); }

 private:
  std::uint8_t* take(std::size_t count) noexcept {
    if (!ok_ || count > room_.size() - size_) {
      ok_ = false;
      return nullptr;
    }
    std::uint8_t* p = room_.data() + size_;
    size_ += count;
    return p;
  }

  // A vector that is longer than its length field can say fails the writer as well.
  void close(std::size_t start, std::size_t width) noexcept {
    if (!ok_) return;
    const std::size_t length = size_ - start - width;
    if ((length >> (8 * width)) != 0) {
      ok_ = false;
      return;
    }
    for (std::size_t i = 0; i < width; i++) {
      room_[start + i] = static_cast<std::uint8_t>(length >> (8 * (width - 1 - i)));
    }
  }

  base::MutBytes room_;
  std::size_t size_ = 0;
  bool ok_ = true;
};

inline void Writer::vector8(base::Bytes v) noexcept {
  const Scope scope = open8();
  bytes(v);
}
inline void Writer::vector16(base::Bytes v) noexcept {
  const Scope scope = open16();
  bytes(v);
}
inline void Writer::vector24(base::Bytes v) noexcept {
  const Scope scope = open24();
  bytes(v);
}

/// A vector of items where it lies. An Item is made by `static Item read(Reader&)`, which fails the reader
/// when the item is malformed; iteration ends there, so a list that was not checked is safe too.
template <class Item>
class List {
 public:
  List() noexcept = default;
  /// `encoded` is the vector's content, without its length.
  explicit List(base::Bytes encoded) noexcept : encoded_(encoded) {}

  [[nodiscard]] base::Bytes encoded() const noexcept { return encoded_; }
  [[nodiscard]] bool empty() const noexcept { return encoded_.empty(); }
  /// Whether it consists of whole, well-formed items.
  [[nodiscard]] bool well_formed() const noexcept {
    Reader reader(encoded_);
    while (!reader.empty()) (void)Item::read(reader);
    return reader.ok();
  }
  /// Items, counted by a walk.
  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t n = 0;
    for (const Item& item : *this) {
      (void)item;
      n++;
    }
    return n;
  }

  class Iterator {
   public:
    explicit Iterator(base::Bytes encoded) noexcept : rest_(encoded) { ++*this; }
    const Item& operator*() const noexcept { return item_; }
    const Item* operator->() const noexcept { return &item_; }
    Iterator& operator++() noexcept {
      at_end_ = rest_.empty();
      if (!at_end_) {
        item_ = Item::read(rest_);
        at_end_ = !rest_.ok();
      }
      return *this;
    }
    /// Against end() only.
    bool operator!=(std::nullptr_t) const noexcept { return !at_end_; }

   private:
    Reader rest_;
    Item item_{};
    bool at_end_ = false;
  };
  [[nodiscard]] Iterator begin() const noexcept { return Iterator(encoded_); }
  [[nodiscard]] std::nullptr_t end() const noexcept { return nullptr; }

 private:
  base::Bytes encoded_;
};

/// An item of two octets: a suite, group, scheme or version, known to us or not.
template <class Value>
struct Word {
  Value value;
  static Word read(Reader& reader) noexcept { return {static_cast<Value>(reader.u16())}; }
  operator Value() const noexcept { return value; }
};

template <class Value>
class WordList : public List<Word<Value>> {
 public:
  using List<Word<Value>>::List;
  [[nodiscard]] bool contains(Value wanted) const noexcept {
    const base::Bytes all = this->encoded();
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
      if (base::load_be16(&all[i]) == static_cast<std::uint16_t>(wanted)) return true;
    }
    return false;
  }
};

}  // namespace signet::tls
