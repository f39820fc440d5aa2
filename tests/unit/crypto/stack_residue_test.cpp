// What a hash of secrets leaves on the stack: the same octets whatever the secret was, so nothing of it.
//
// Each call is made on a stack of its own, which is looked at afterwards, once for each of two secrets. This
// sees what the compiler spilled too, which no wipe in the source reaches. Sanitizers keep copies of their
// own.
#include <array>
#include <new>
#include <vector>

#include <doctest/doctest.h>
#include <ucontext.h>

#include <signet/crypto/hkdf.hpp>

#if !defined(SIGNET_SANITIZED)

using namespace signet;
using namespace signet::crypto;

namespace {

using Octets = std::vector<std::uint8_t>;

alignas(64) std::array<std::uint8_t, 256> secret;
alignas(64) std::array<std::uint8_t, 256> result;
alignas(64) std::array<std::uint8_t, 65536> stack;

void (*the_call)();
ucontext_t here, there;

void run_the_call() { the_call(); }

void set_secret(std::uint8_t seed) {
  for (std::size_t i = 0; i < secret.size(); i++)
    secret[i] = static_cast<std::uint8_t>(seed + i * (seed | 1));
}

/// The registers that `call` finds are always those of the first time: it may put them on the stack.
Octets stack_after(void (*call)()) {
  static const int ready = ::getcontext(&there);
  REQUIRE(ready == 0);
  stack.fill(0);
  the_call = call;
  there.uc_stack.ss_sp = stack.data();
  there.uc_stack.ss_size = stack.size();
  there.uc_link = &here;
  ::makecontext(&there, run_the_call, 0);
  REQUIRE(::swapcontext(&here, &there) == 0);
  return {stack.begin(), stack.end()};
}

/// How many octets of the stack depend on the secret.
std::size_t residue(void (*call)()) {
  set_secret(1);
  (void)stack_after(call);  // what the first call alone does: bindings, kernel lists
  const Octets first = stack_after(call), again = stack_after(call);
  REQUIRE(first == again);
  set_secret(0xa7);
  const Octets other = stack_after(call);
  std::size_t different = 0;
  for (std::size_t i = 0; i < first.size(); i++) different += first[i] != other[i] ? 1 : 0;
  return different;
}

// What the calls work with besides: at the same place for either secret.
const Sha256Kernel* narrow;
const Sha512Kernel* wide;
HashId id;
HmacKey key;

base::MutBytes out() { return base::MutBytes(result).first(digest_bytes(id)); }
base::Bytes input(std::size_t from, std::size_t n) { return base::Bytes(secret).subspan(from, n); }

/// Compresses two blocks that begin anywhere, from a state that is secret too.
template <class Word, class Kernel>
void compress_with(const Kernel& kernel) {
  std::memcpy(result.data(), secret.data(), 8 * sizeof(Word));
  kernel.compress(reinterpret_cast<Word*>(result.data()), secret.data(), 256 / (16 * sizeof(Word)));
}

constexpr HashId all_ids[] = {HashId::sha256, HashId::sha384, HashId::sha512};

}  // namespace

TEST_CASE("stack residue: a secret that was left is found, and one that was not is not") {
  CHECK(residue([] {
          std::array<volatile std::uint8_t, 32> copy;
          for (std::size_t i = 0; i < copy.size(); i++) copy[i] = secret[i];
        }) == 32);
  CHECK(residue([] { std::memcpy(result.data(), secret.data(), secret.size()); }) == 0);
}

TEST_CASE("stack residue: no kernel of SHA-2 leaves state or data") {
  for (const Sha256Kernel* kernel : sha256_kernels()) {
    CAPTURE(kernel->name);
    narrow = kernel;
    CHECK(residue([] { compress_with<std::uint32_t>(*narrow); }) == 0);
  }
  for (const Sha512Kernel* kernel : sha512_kernels()) {
    CAPTURE(kernel->name);
    wide = kernel;
    CHECK(residue([] { compress_with<std::uint64_t>(*wide); }) == 0);
  }
}

TEST_CASE("stack residue: hashes, MACs and HKDF leave nothing of message, key or result") {
  for (const HashId each : all_ids) {
    CAPTURE(static_cast<int>(each));
    id = each;
    CHECK(residue([] { hash(out(), id, input(1, 200)); }) == 0);
    CHECK(residue([] { new (&key) HmacKey(id, input(3, 32)); }) == 0);
    CHECK(residue([] { new (&key) HmacKey(id, input(3, 200)); }) == 0);
    CHECK(residue([] { hmac(out(), key, input(7, 100)); }) == 0);
    CHECK(residue([] { hkdf_extract(out(), id, input(0, 32), input(64, 32)); }) == 0);
    CHECK(residue([] { (void)hkdf_expand(out().first(16), key, input(9, 60)); }) == 0);
  }
}

#endif
