// Reader and Writer: fields, bounds, nested lengths.
#include <array>

#include <doctest/doctest.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tls/wire.hpp>

using namespace signet;
using namespace signet::tls;
using test::from_hex;
using test::to_hex;

TEST_CASE("a reader takes fields in order and is done at the end") {
  const auto octets = from_hex("01 0203 040506 0708090a 02 bbbb 0001 cc 000001 dd");
  Reader reader(octets);
  CHECK(reader.u8() == 0x01);
  CHECK(reader.u16() == 0x0203);
  CHECK(reader.u24() == 0x040506);
  CHECK(reader.u32() == 0x0708090a);
  CHECK(to_hex(reader.vector8()) == "bbbb");
  CHECK(to_hex(reader.vector16()) == "cc");
  CHECK_FALSE(reader.done());
  CHECK(to_hex(reader.vector24()) == "dd");
  CHECK(reader.done());
}

TEST_CASE("a field that is not there fails the reader for good") {
  const auto octets = from_hex("0102");
  Reader reader(octets);
  CHECK(reader.u24() == 0);
  CHECK_FALSE(reader.ok());
  CHECK(reader.empty());
  CHECK(reader.u8() == 0);
  CHECK(reader.bytes(0).empty());
  CHECK_FALSE(reader.ok());
  CHECK_FALSE(reader.done());
}

TEST_CASE("a vector longer than what is left fails") {
  for (const char* hex : {"0301", "01", ""}) {
    const auto octets = from_hex(hex);
    Reader reader(octets);
    CHECK(reader.vector8().empty());
    CHECK(reader.ok() == false);
  }
  const auto empty_vector = from_hex("0000");
  Reader reader(empty_vector);
  CHECK(reader.vector16().empty());
  CHECK(reader.done());
}

TEST_CASE("a writer patches nested lengths when scopes end") {
  std::array<std::uint8_t, 32> room{};
  Writer writer(room);
  {
    const Writer::Scope outer = writer.open24();
    writer.u16(0x0102);
    {
      const Writer::Scope inner = writer.open16();
      writer.u8(0xaa);
      writer.vector8(from_hex("bbbb"));
    }
    const Writer::Scope empty = writer.open8();
  }
  writer.u32(0xdeadbeef);
  CHECK(writer.ok());
  CHECK(to_hex(writer.written()) ==
        "0000090102"
        "0004aa02bbbb"
        "00"
        "deadbeef");
  CHECK(to_hex(writer.written_from(12)) == "deadbeef");
}

TEST_CASE("a writer never writes past its room and remembers that something is missing") {
  std::array<std::uint8_t, 8> memory{};
  for (std::size_t size = 0; size < 6; size++) {
    memory.fill(0xee);
    Writer writer(base::MutBytes(memory).first(size));
    writer.vector16(from_hex("01020304"));
    CHECK_FALSE(writer.ok());
    writer.u8(7);
    writer.bytes({});
    CHECK_FALSE(writer.ok());
    CHECK(writer.reserve(1).empty());
    for (std::size_t i = size; i < memory.size(); i++) CHECK(memory[i] == 0xee);
  }
  Writer fits(base::MutBytes(memory).first(6));
  fits.vector16(from_hex("01020304"));
  CHECK(fits.ok());
}

TEST_CASE("a vector longer than its length can say fails the writer") {
  std::vector<std::uint8_t> room(70000);
  const std::vector<std::uint8_t> longest8(255), longest16(65535);
  Writer writer(room);
  writer.vector8(longest8);
  CHECK(writer.ok());
  writer.vector8(std::vector<std::uint8_t>(256));
  CHECK_FALSE(writer.ok());
  Writer second(room);
  second.vector16(longest16);
  CHECK(second.ok());
  Writer third(room);
  third.vector16(std::vector<std::uint8_t>(65536));
  CHECK_FALSE(third.ok());
}

TEST_CASE("word lists") {
  const auto octets = from_hex("0a0a 1301 ffff");
  const WordList<std::uint16_t> list(octets);
  std::vector<std::uint16_t> seen;
  for (const std::uint16_t word : list) seen.push_back(word);
  CHECK(seen == std::vector<std::uint16_t>{0x0a0a, 0x1301, 0xffff});
  CHECK(list.count() == 3);
  CHECK(list.contains(0xffff));
  CHECK_FALSE(list.contains(0x0a13));
  const WordList<std::uint16_t> odd(base::Bytes(octets).first(5));
  CHECK(odd.count() == 2);
  CHECK_FALSE(odd.contains(0xffff));
  CHECK(WordList<std::uint16_t>().count() == 0);
}
