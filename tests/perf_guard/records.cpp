#include <vector>

#include "counted.hpp"

#include <signet/tls/record.hpp>

namespace signet::counted {
namespace {

constexpr crypto::AeadId cipher = crypto::AeadId::aes_128_gcm;

// A record's protection is in its sequence number too: each run begins with the same one.
tls::Protection fresh_protection() {
  tls::Protection protection{};
  std::memcpy(protection.key.key, text(longest).data() + 200, crypto::aead_key_bytes(cipher));
  std::memcpy(protection.key.iv, text(longest).data() + 300, sizeof protection.key.iv);
  return protection;
}

void count_record(std::size_t n, const crypto::AeadKey& key, std::string_view kernel) {
  tls::Protection protection = fresh_protection();
  std::vector<std::uint8_t> record(tls::max_record_bytes), plain(longest + 1);
  std::size_t size = 0;
  count({"seal_record AES-128-GCM", n, kernel}, [&] {
    protection.sequence = 0;
    size = tls::seal_record(record.data(), protection, key, tls::ContentType::application_data, text(n));
  });
  require(size > n, "seal_record");
  count({"open_record AES-128-GCM", n, kernel}, [&] {
    protection.sequence = 0;
    const auto opened = tls::open_record(plain.data(), protection, key, record.data(), longest + 1);
    require(opened.ok() && opened->plain == n, "open_record");
  });
}

}  // namespace

void count_records() {
  const std::string_view kernel = crypto::aead_kernel_name(*crypto::aead_kernels(cipher).front());
  crypto::AeadKey key;
  key.init(cipher, {fresh_protection().key.key, crypto::aead_key_bytes(cipher)});
  for (const std::size_t n : lengths) count_record(n, key, kernel);
}

}  // namespace signet::counted
