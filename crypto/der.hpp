// DER (ITU-T X.690): a strict reader over views and a small writer into a fixed buffer. Neither allocates.
#pragma once

#include <signet/base/bytes.hpp>

namespace signet::crypto::der {

using Tag = std::uint8_t;

constexpr Tag boolean = 0x01;
constexpr Tag integer = 0x02;
constexpr Tag bit_string = 0x03;
constexpr Tag octet_string = 0x04;
constexpr Tag null = 0x05;
constexpr Tag object_identifier = 0x06;
constexpr Tag utf8_string = 0x0c;
constexpr Tag utc_time = 0x17;
constexpr Tag generalized_time = 0x18;
constexpr Tag sequence = 0x30;
constexpr Tag set = 0x31;

/// [number], primitive (an IMPLICIT string) and constructed (EXPLICIT, or an IMPLICIT SEQUENCE); number is at
/// most 30.
constexpr Tag context(unsigned number) noexcept { return static_cast<Tag>(0x80 | number); }
constexpr Tag context_constructed(unsigned number) noexcept { return static_cast<Tag>(0xa0 | number); }

/// Elements within elements deeper than this are refused; a certificate needs 8.
constexpr std::size_t max_depth = 16;

/// Why reading stopped: the first fault of a reader and all readers made from it. Both texts are static.
struct Fault {
  const char* what = "";     // the field that was being read, "serialNumber"
  const char* problem = "";  // what is wrong with it, "is not in its shortest form"
  std::size_t offset = 0;    // octets from the start of the outermost input to the fault
};

/// One tag, length and content. `whole` covers all three.
struct Element {
  Tag tag = 0;
  base::Bytes whole;
  base::Bytes content;
};

/// Reads elements one after another out of one parent's content. Every call that fails writes the fault that
/// the reader was made with, answers false, and leaves the outputs unspecified; nothing past the parent is
/// ever read. Refused everywhere: indefinite lengths, lengths not in their shortest form, tags above 30. Not
/// constant time in tags and lengths; contents are only pointed at.
class Reader {
 public:
  Reader() noexcept = default;
  /// `input` and `fault` must outlive the reader and all readers made from it.
  Reader(base::Bytes input, Fault& fault) noexcept
      : rest_(input), origin_(input.data()), fault_(&fault), depth_(0) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool next_is(Tag tag) const noexcept { return !rest_.empty() && rest_[0] == tag; }
  [[nodiscard]] base::Bytes rest() const noexcept { return rest_; }

  /// The next element, whatever it is.
  [[nodiscard]] bool any(Element& element, const char* what) noexcept;
  /// The next element, which must have this tag.
  [[nodiscard]] bool read(Element& element, Tag tag, const char* what) noexcept;
  /// As read(), and `inner` then reads its content; at most max_depth deep.
  [[nodiscard]] bool enter(Reader& inner, Tag tag, const char* what) noexcept;
  /// A reader of `part`, which lies inside this reader's input: the DER inside an OCTET STRING.
  [[nodiscard]] bool within(Reader& inner, base::Bytes part, const char* what) noexcept;
  /// That nothing is left. The last call on every reader.
  [[nodiscard]] bool finish(const char* what) noexcept;

  /// TRUE is FF and FALSE is 00 (X.690 section 11.1).
  [[nodiscard]] bool read_boolean(bool& value, const char* what) noexcept;
  /// Two's complement, big-endian, at least one octet, in its shortest form (X.690 section 8.3).
  [[nodiscard]] bool read_integer(base::Bytes& value, const char* what) noexcept;
  /// A non-negative INTEGER below 2^31.
  [[nodiscard]] bool read_small_integer(std::uint32_t& value, const char* what) noexcept;
  /// The content of an OBJECT IDENTIFIER, its arcs complete and in their shortest form (X.690 section 8.19).
  [[nodiscard]] bool read_oid(base::Bytes& oid, const char* what) noexcept;
  [[nodiscard]] bool read_octet_string(base::Bytes& octets, const char* what) noexcept;
  /// The last `unused_bits` (0 to 7) of the last octet are zero (X.690 section 11.2.1).
  [[nodiscard]] bool read_bit_string(base::Bytes& bits, unsigned& unused_bits, const char* what) noexcept;
  /// A BIT STRING of whole octets: keys and signatures.
  [[nodiscard]] bool read_bit_octets(base::Bytes& octets, const char* what) noexcept;

  /// Notes a fault at the next element, unless there is one already. Always false.
  bool fail(const char* what, const char* problem) noexcept;
  /// The same at `place`, inside this reader's input.
  bool fail_at(base::Bytes place, const char* what, const char* problem) noexcept;

 private:
  bool read_length(std::size_t& content_bytes, std::size_t& header_bytes, const char* what) noexcept;

  base::Bytes rest_;
  const std::uint8_t* origin_ = nullptr;
  Fault* fault_ = nullptr;
  std::size_t depth_ = 0;
};

/// Writes elements into `room`. When something does not fit, everything after it is left out and ok() is
/// false. Contents may be secret: the writer compares none of them.
class Writer {
 public:
  explicit Writer(base::MutBytes room) noexcept : room_(room) {}

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] base::Bytes written() const noexcept { return base::Bytes(room_).first(used_); }

  void element(Tag tag, base::Bytes content) noexcept;
  /// Octets that are DER already.
  void raw(base::Bytes der) noexcept;
  /// A BIT STRING of whole octets.
  void bit_octets(base::Bytes octets) noexcept;
  void small_integer(std::uint8_t below_128) noexcept;
  void true_boolean() noexcept;

  /// The element that holds what `fill()` writes; at most 65,535 octets.
  template <class Fill>
  void nested(Tag tag, Fill&& fill) noexcept {
    const std::size_t begin = open(tag);
    fill();
    close(begin);
  }

 private:
  std::size_t open(Tag tag) noexcept;
  void close(std::size_t begin) noexcept;

  base::MutBytes room_;
  std::size_t used_ = 0;
  bool ok_ = true;
};

}  // namespace signet::crypto::der
