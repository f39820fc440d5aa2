#include "counted.hpp"

#include <signet/crypto/hkdf.hpp>
#include <signet/tls/key_schedule.hpp>

namespace signet::counted {
namespace {

struct HashRows {
  crypto::HashId id;
  std::string_view kernel;
  std::string_view hash, key, mac, expand_label;  // names
};

void count_hash(const HashRows& rows) {
  std::uint8_t room[crypto::max_digest_bytes];
  const base::MutBytes digest(room, crypto::digest_bytes(rows.id));
  for (const std::size_t n : lengths)
    count({rows.hash, n, rows.kernel}, [&] { crypto::hash(digest, rows.id, text(n)); });
}

void count_mac(const HashRows& rows) {
  std::uint8_t room[crypto::max_digest_bytes];
  const std::size_t size = crypto::digest_bytes(rows.id);
  const base::MutBytes tag(room, size);
  crypto::HmacKey key;
  count({rows.key, size, rows.kernel}, [&] { key = crypto::HmacKey(rows.id, text(size)); });
  for (const std::size_t n : lengths)
    count({rows.mac, n, rows.kernel}, [&] { crypto::hmac(tag, key, text(n)); });
  const tls::LabelKey secret(rows.id, text(size));
  count({rows.expand_label, size, rows.kernel},
        [&] { require(secret.expand(tag, "s hs traffic", text(size)), rows.expand_label); });
}

}  // namespace

void count_hashes() {
  const HashRows all[] = {
      {crypto::HashId::sha256, crypto::sha256_kernels().front()->name, "SHA-256", "HMAC-SHA-256 key",
       "HMAC-SHA-256", "HKDF-Expand-Label SHA-256"},
      {crypto::HashId::sha384, crypto::sha512_kernels().front()->name, "SHA-384", "HMAC-SHA-384 key",
       "HMAC-SHA-384", "HKDF-Expand-Label SHA-384"},
  };
  for (const HashRows& rows : all) {
    count_hash(rows);
    count_mac(rows);
  }
}

}  // namespace signet::counted
