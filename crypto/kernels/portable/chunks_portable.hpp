// A message cut into chunks of 64 octets for the portable kernels: read whole before anything of it is
// written.
#pragma once

#include <signet/crypto/kernels/aead_kernels.hpp>

namespace signet::crypto {

constexpr std::size_t chunk_bytes = 64;

/// The next chunk of `text` in `chunk`, its missing octets 0; answers how many it has, 0 at the end.
inline std::size_t next_chunk(std::uint8_t chunk[chunk_bytes], TwoPieces& text) noexcept {
  std::size_t total = 0;
  for (std::size_t i = 0; i < chunk_bytes; i += 16) {
    std::size_t n = 0;
    store_word(chunk + i, text.next(n));
    total += n;
  }
  return total;
}

inline void xor_chunk(std::uint8_t chunk[chunk_bytes], const std::uint8_t stream[chunk_bytes]) noexcept {
  for (std::size_t i = 0; i < chunk_bytes; i++) chunk[i] = static_cast<std::uint8_t>(chunk[i] ^ stream[i]);
}

/// `Stream` gives 64 octets of key stream a call, `Mac` takes the ciphertext by update().
template <class Stream, class Mac>
void seal_chunks(Stream& stream, Mac& mac, const SealJob& job) noexcept {
  std::uint8_t chunk[chunk_bytes];
  std::uint8_t pad[chunk_bytes];
  std::uint8_t* dst = job.dst;
  TwoPieces text({job.src}, job.tail, job.tail_bytes);
  while (text.left() != 0) {
    const std::size_t n = next_chunk(chunk, text);
    stream.next(pad);
    xor_chunk(chunk, pad);
    std::memcpy(dst, chunk, n);
    mac.update({chunk, n});
    dst += n;
  }
  base::wipe(chunk);
  base::wipe(pad);
}

template <class Stream, class Mac>
void open_chunks(Stream& stream, Mac& mac, const OpenJob& job) noexcept {
  std::uint8_t chunk[chunk_bytes];
  std::uint8_t pad[chunk_bytes];
  std::uint8_t* dst = job.dst;
  TwoPieces text({job.src}, 0, 0);
  while (text.left() != 0) {
    const std::size_t n = next_chunk(chunk, text);
    mac.update({chunk, n});
    stream.next(pad);
    xor_chunk(chunk, pad);
    std::memcpy(dst, chunk, n);
    dst += n;
  }
  base::wipe(chunk);
  base::wipe(pad);
}

}  // namespace signet::crypto
