#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <signet/crypto/der.hpp>

namespace der = signet::crypto::der;
using signet::base::Bytes;

namespace {

using Octets = std::vector<std::uint8_t>;

std::string problem_of_any(const Octets& input) {
  der::Fault fault;
  der::Reader reader(input, fault);
  der::Element element;
  const bool ok = reader.any(element, "it") && reader.finish("it");
  CHECK(ok == (fault.problem[0] == '\0'));
  return fault.problem;
}

template <class Read>
std::string problem_of(const Octets& input, Read read) {
  der::Fault fault;
  der::Reader reader(input, fault);
  const bool ok = read(reader);
  CHECK(ok == (fault.problem[0] == '\0'));
  return fault.problem;
}

std::string integer_problem(const Octets& input) {
  return problem_of(input, [](der::Reader& r) {
    Bytes value;
    return r.read_integer(value, "it");
  });
}

std::string oid_problem(const Octets& input) {
  return problem_of(input, [](der::Reader& r) {
    Bytes value;
    return r.read_oid(value, "it");
  });
}

std::string bits_problem(const Octets& input) {
  return problem_of(input, [](der::Reader& r) {
    Bytes value;
    unsigned unused = 0;
    return r.read_bit_string(value, unused, "it");
  });
}

Octets with_content(Octets header, std::size_t content_bytes) {
  header.resize(header.size() + content_bytes, 0x55);
  return header;
}

}  // namespace

TEST_CASE("lengths are definite, whole and in their shortest form") {
  CHECK(problem_of_any({0x04, 0x00}) == "");
  CHECK(problem_of_any(with_content({0x04, 0x7f}, 0x7f)) == "");
  CHECK(problem_of_any(with_content({0x04, 0x81, 0x80}, 0x80)) == "");
  CHECK(problem_of_any(with_content({0x04, 0x81, 0xff}, 0xff)) == "");
  CHECK(problem_of_any(with_content({0x04, 0x82, 0x01, 0x00}, 0x100)) == "");
  CHECK(problem_of_any(with_content({0x04, 0x83, 0x01, 0x00, 0x00}, 0x10000)) == "");

  CHECK(problem_of_any({}) == "is missing");
  CHECK(problem_of_any({0x04}) == "is cut off");
  CHECK(problem_of_any({0x04, 0x81}) == "is cut off");
  CHECK(problem_of_any({0x04, 0x82, 0x01}) == "is cut off");
  CHECK(problem_of_any({0x04, 0x01}) == "is longer than what holds it");
  CHECK(problem_of_any(with_content({0x04, 0x81, 0x80}, 0x7f)) == "is longer than what holds it");
  CHECK(problem_of_any({0x30, 0x80, 0x00, 0x00}) == "has an indefinite length");
  CHECK(problem_of_any(with_content({0x04, 0x81, 0x7f}, 0x7f)) ==
        "has a length that is not in its shortest form");
  CHECK(problem_of_any(with_content({0x04, 0x82, 0x00, 0xff}, 0xff)) ==
        "has a length that is not in its shortest form");
  CHECK(problem_of_any({0x04, 0x81, 0x00}) == "has a length that is not in its shortest form");
  CHECK(problem_of_any({0x04, 0x84, 0x00, 0x00, 0x00, 0x00}) == "has a length of more than three octets");
  CHECK(problem_of_any({0x04, 0xff, 0x00, 0x00, 0x00, 0x00}) == "has a length of more than three octets");
  CHECK(problem_of_any({0x1f, 0x21, 0x00}) == "has a tag above 30");
  CHECK(problem_of_any({0x04, 0x00, 0x00}) == "has octets after its end");
}

TEST_CASE("an element is bounded by its parent, not by the input") {
  const Octets input = {0x30, 0x03, 0x04, 0x02, 0xaa, 0xbb};
  der::Fault fault;
  der::Reader file(input, fault);
  der::Reader inner;
  REQUIRE(file.enter(inner, der::sequence, "outer"));
  Bytes octets;
  CHECK_FALSE(inner.read_octet_string(octets, "inner"));
  CHECK(std::string(fault.what) == "inner");
  CHECK(std::string(fault.problem) == "is longer than what holds it");
  CHECK(fault.offset == 2);
}

TEST_CASE("the first fault stays, with its offset from the outermost start") {
  const Octets input = {0x30, 0x04, 0x02, 0x01, 0x07, 0x05};
  der::Fault fault;
  der::Reader file(input, fault);
  der::Reader inner;
  std::uint32_t number = 0;
  der::Element element;
  REQUIRE(file.enter(inner, der::sequence, "outer"));
  REQUIRE(inner.read_small_integer(number, "number"));
  CHECK(number == 7);
  CHECK_FALSE(inner.read(element, der::sequence, "wanted"));
  CHECK_FALSE(inner.finish("later"));
  CHECK(std::string(fault.what) == "wanted");
  CHECK(fault.offset == 5);
}

TEST_CASE("nesting is bounded") {
  Octets input;
  for (std::size_t i = 0; i < der::max_depth + 1; i++)
    input.insert(input.begin(), {0x30, std::uint8_t(input.size())});
  der::Fault fault;
  der::Reader reader(input, fault);
  for (std::size_t i = 0; i < der::max_depth; i++) REQUIRE(reader.enter(reader, der::sequence, "level"));
  CHECK_FALSE(reader.enter(reader, der::sequence, "level"));
  CHECK(std::string(fault.problem) == "is nested too deeply");
}

TEST_CASE("INTEGERs are in their shortest form") {
  CHECK(integer_problem({0x02, 0x01, 0x00}) == "");
  CHECK(integer_problem({0x02, 0x02, 0x00, 0x80}) == "");
  CHECK(integer_problem({0x02, 0x02, 0xff, 0x7f}) == "");
  CHECK(integer_problem({0x02, 0x01, 0xff}) == "");
  CHECK(integer_problem({0x02, 0x00}) == "is an INTEGER without octets");
  CHECK(integer_problem({0x02, 0x02, 0x00, 0x7f}) == "is an INTEGER not in its shortest form");
  CHECK(integer_problem({0x02, 0x02, 0xff, 0x80}) == "is an INTEGER not in its shortest form");
  CHECK(integer_problem({0x04, 0x01, 0x00}) == "has another type than it must have");

  const auto small = [](der::Reader& r) {
    std::uint32_t value = 0;
    return r.read_small_integer(value, "it");
  };
  CHECK(problem_of({0x02, 0x04, 0x7f, 0xff, 0xff, 0xff}, small) == "");
  CHECK(problem_of({0x02, 0x05, 0x00, 0x80, 0x00, 0x00, 0x00}, small) == "is too large");
  CHECK(problem_of({0x02, 0x01, 0x80}, small) == "is negative");
}

TEST_CASE("BOOLEANs are 00 or FF") {
  const auto read = [](der::Reader& r) {
    bool value = false;
    return r.read_boolean(value, "it");
  };
  CHECK(problem_of({0x01, 0x01, 0x00}, read) == "");
  CHECK(problem_of({0x01, 0x01, 0xff}, read) == "");
  CHECK(problem_of({0x01, 0x01, 0x01}, read) == "is neither 00 nor FF");
  CHECK(problem_of({0x01, 0x00}, read) == "is not one octet long");
  CHECK(problem_of({0x01, 0x02, 0xff, 0xff}, read) == "is not one octet long");
}

TEST_CASE("OBJECT IDENTIFIERs have whole arcs in their shortest form") {
  CHECK(oid_problem({0x06, 0x03, 0x55, 0x1d, 0x11}) == "");
  CHECK(oid_problem({0x06, 0x03, 0x2a, 0x86, 0x48}) == "");
  CHECK(oid_problem({0x06, 0x00}) == "is not a valid OBJECT IDENTIFIER");
  CHECK(oid_problem({0x06, 0x02, 0x2a, 0x86}) == "is not a valid OBJECT IDENTIFIER");
  CHECK(oid_problem({0x06, 0x03, 0x2a, 0x80, 0x01}) == "is not a valid OBJECT IDENTIFIER");
  CHECK(oid_problem({0x06, 0x02, 0x80, 0x01}) == "is not a valid OBJECT IDENTIFIER");
}

TEST_CASE("BIT STRINGs have zeros in their unused bits") {
  CHECK(bits_problem({0x03, 0x01, 0x00}) == "");
  CHECK(bits_problem({0x03, 0x02, 0x07, 0x80}) == "");
  CHECK(bits_problem({0x03, 0x02, 0x00, 0xff}) == "");
  CHECK(bits_problem({0x04, 0x02, 0x00, 0xff}) == "has another type than it must have");
  CHECK(bits_problem({0x03, 0x00}) == "is a BIT STRING without its first octet");
  CHECK(bits_problem({0x03, 0x01, 0x01}) == "has a wrong count of unused bits");
  CHECK(bits_problem({0x03, 0x02, 0x08, 0x00}) == "has a wrong count of unused bits");
  CHECK(bits_problem({0x03, 0x02, 0x04, 0x08}) == "has unused bits that are not zero");
  CHECK(problem_of({0x03, 0x02, 0x04, 0x10}, [](der::Reader& r) {
          Bytes value;
          return r.read_bit_octets(value, "it");
        }) == "is not a whole number of octets");
}

TEST_CASE("what the writer writes the reader reads, at each size of length") {
  for (const std::size_t size : {0u, 1u, 127u, 128u, 255u, 256u, 40'000u}) {
    const Octets content(size, 0xab);
    Octets room(size + 32);
    der::Writer writer(room);
    writer.nested(der::sequence, [&] {
      writer.small_integer(5);
      writer.element(der::octet_string, content);
      writer.bit_octets({});
      writer.true_boolean();
    });
    REQUIRE(writer.ok());

    der::Fault fault;
    der::Reader file(writer.written(), fault);
    der::Reader inner;
    std::uint32_t number = 0;
    Bytes octets;
    Bytes bits;
    bool flag = false;
    REQUIRE(file.enter(inner, der::sequence, "outer"));
    CHECK(file.at_end());
    CHECK(inner.read_small_integer(number, "number"));
    CHECK(inner.read_octet_string(octets, "octets"));
    CHECK(inner.read_bit_octets(bits, "bits"));
    CHECK(inner.read_boolean(flag, "flag"));
    CHECK(inner.finish("outer"));
    CHECK(number == 5);
    CHECK(flag);
    CHECK(Octets(octets.begin(), octets.end()) == content);
  }
}

TEST_CASE("a writer without room says so and writes nothing behind its room") {
  const Octets content(130, 0xab);
  for (std::size_t room_bytes = 0; room_bytes < 135; room_bytes++) {
    Octets room(room_bytes + 8, 0xee);
    der::Writer writer(signet::base::MutBytes(room).first(room_bytes));
    writer.nested(der::sequence, [&] { writer.raw(content); });
    CHECK(writer.ok() == (room_bytes >= 133));
    for (std::size_t i = room_bytes; i < room.size(); i++) REQUIRE(room[i] == 0xee);
  }
}

TEST_CASE("nothing over 65,535 octets is written as one element") {
  Octets room(70'000);
  for (const std::size_t size : {65'535u, 65'536u}) {
    const Octets content(size, 0);
    der::Writer writer(room);
    writer.element(der::octet_string, content);
    CHECK(writer.ok() == (size == 65'535));
  }
}
