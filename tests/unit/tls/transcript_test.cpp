// The transcript hash against the hash of the concatenation.
#include <doctest/doctest.h>

#include <signet/tests/support/hex.hpp>
#include <signet/tls/transcript.hpp>

using namespace signet;
using namespace signet::tls;
using test::to_hex;

namespace {

std::string digest_of(crypto::HashId id, const std::string& text) {
  std::vector<std::uint8_t> digest(crypto::digest_bytes(id));
  crypto::hash(digest, id, base::as_bytes(text));
  return to_hex(digest);
}

}  // namespace

TEST_CASE("a digest is a snapshot and the transcript goes on") {
  for (const crypto::HashId id : {crypto::HashId::sha256, crypto::HashId::sha384}) {
    Transcript transcript(id);
    CHECK(to_hex(transcript.digest().bytes()) == digest_of(id, ""));
    transcript.add(base::as_bytes("client"));
    CHECK(to_hex(transcript.digest().bytes()) == digest_of(id, "client"));
    CHECK(to_hex(transcript.digest_with(base::as_bytes("!")).bytes()) == digest_of(id, "client!"));
    transcript.add(base::as_bytes("server"));
    CHECK(to_hex(transcript.digest().bytes()) == digest_of(id, "clientserver"));
    CHECK(transcript.digest().size == crypto::digest_bytes(id));
  }
}

TEST_CASE("a first ClientHello is replaced by a message_hash message") {
  for (const crypto::HashId id : {crypto::HashId::sha256, crypto::HashId::sha384}) {
    std::vector<std::uint8_t> digest(crypto::digest_bytes(id));
    crypto::hash(digest, id, base::as_bytes("hello"));
    std::string stand_in("\xfe\0\0", 3);
    stand_in += static_cast<char>(digest.size());
    stand_in += std::string(base::as_text(digest));

    Transcript transcript(id);
    transcript.add(base::as_bytes("hello"));
    transcript.replace_by_message_hash();
    CHECK(to_hex(transcript.digest().bytes()) == digest_of(id, stand_in));
    transcript.add(base::as_bytes("retry"));
    CHECK(to_hex(transcript.digest().bytes()) == digest_of(id, stand_in + "retry"));
  }
}
