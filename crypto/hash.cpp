#include <cassert>
#include <new>

#include <signet/crypto/hash.hpp>

namespace signet::crypto {

static_assert(std::is_trivially_copyable_v<Hash>, "a fork is a copy of octets, and a wipe is complete");

Hash::Hash(HashId id) noexcept : id_(id) {
  switch (id) {
    case HashId::sha256:
      new (&narrow_) Sha256();
      break;
    case HashId::sha384:
      new (&wide_) Sha512(Sha512::sha384());
      break;
    case HashId::sha512:
      new (&wide_) Sha512(Sha512::sha512());
      break;
  }
}

Hash::Hash(HashId id, const Midstate& midstate, std::uint64_t block_count) noexcept : id_(id) {
  if (id == HashId::sha256) {
    new (&narrow_) Sha256(midstate.narrow, block_count);
  } else {
    new (&wide_) Sha512(midstate.wide, block_count);
  }
}

void Hash::update(base::Bytes data) noexcept {
  if (id_ == HashId::sha256) {
    narrow_.update(data);
  } else {
    wide_.update(data);
  }
}

void Hash::write_midstate(Midstate& midstate) const noexcept {
  if (id_ == HashId::sha256) {
    narrow_.write_midstate(*new (&midstate.narrow) Sha256::Midstate);
  } else {
    wide_.write_midstate(*new (&midstate.wide) Sha512::Midstate);
  }
}

void Hash::finish(base::MutBytes digest) noexcept {
  assert(digest.size() == digest_bytes(id_));
  if (id_ == HashId::sha256) {
    narrow_.finish(digest.first<Sha256::digest_bytes>());
  } else {
    wide_.finish(digest);
  }
}

void hash(base::MutBytes digest, HashId id, base::Bytes data) noexcept {
  Hash running(id);
  running.update(data);
  running.finish(digest);
}

}  // namespace signet::crypto
