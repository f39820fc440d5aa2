#include <signet/crypto/hkdf.hpp>

namespace signet::crypto {
namespace {

/// RFC 5869 section 2.3: T(number) = HMAC(prk, T(number - 1) | info | number).
void expand_block(base::MutBytes block, const HmacKey& prk, base::Bytes previous, base::Bytes info,
                  std::uint8_t number) noexcept {
  Hmac mac(prk);
  mac.update(previous);
  mac.update(info);
  mac.update({&number, 1});
  mac.finish(block);
}

}  // namespace

void hkdf_extract(base::MutBytes prk, HashId id, base::Bytes salt, base::Bytes ikm) noexcept {
  HmacKey key(id, salt);
  hmac(prk, key, ikm);
  key.wipe();
}

bool hkdf_expand(base::MutBytes out, const HmacKey& prk, base::Bytes info) noexcept {
  const std::size_t digest = digest_bytes(prk.id());
  if (out.size() > 255 * digest) return false;
  base::Bytes previous;
  std::uint8_t number = 1;
  for (; out.size() >= digest; number++) {
    expand_block(out.first(digest), prk, previous, info, number);
    previous = out.first(digest);
    out = out.subspan(digest);
  }
  if (out.empty()) return true;
  std::uint8_t last[max_digest_bytes];
  expand_block({last, digest}, prk, previous, info, number);
  std::memcpy(out.data(), last, out.size());
  base::wipe(last);
  return true;
}

}  // namespace signet::crypto
