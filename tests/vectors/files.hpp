// Which function runs which file, family by family.
#pragma once

#include <span>

#include <signet/tests/vectors/report.hpp>

namespace signet::vectors {

[[nodiscard]] std::span<const File> aead_files();
[[nodiscard]] std::span<const File> cipher_files();
[[nodiscard]] std::span<const File> hash_files();
[[nodiscard]] std::span<const File> mac_files();
[[nodiscard]] std::span<const File> p256_files();
[[nodiscard]] std::span<const File> ecdsa_files();
[[nodiscard]] std::span<const File> x25519_files();
[[nodiscard]] std::span<const File> tls_files();
[[nodiscard]] std::span<const File> certificate_files();
[[nodiscard]] std::span<const File> http_files();
[[nodiscard]] std::span<const File> llhttp_files();
[[nodiscard]] std::span<const File> seed_files();

}  // namespace signet::vectors
