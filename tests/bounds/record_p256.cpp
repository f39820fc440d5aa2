// P-256's formulas, one by one, and every public operation from its inputs to its answer.
#include <memory>

#include <signet/crypto/kernels/p256_multiply.hpp>
#include <signet/crypto/p256.hpp>
#include <signet/tests/bounds/recording.hpp>

namespace signet::bounds {
namespace {

using crypto::p256::Affine;
using crypto::p256::Fe;

// The words of a recorded element; any other one is a constant of the code, or a number out of a table.
constexpr std::uint64_t marks[3] = {0x7369676e65742062, 0x6f756e6473206f66, 0x2061206669656c64};

Fe element(std::uint64_t value) { return {{value, marks[0], marks[1], marks[2]}}; }

std::uint64_t value_of(const Fe& a) {
  const bool is_recorded = a.w[1] == marks[0] && a.w[2] == marks[1] && a.w[3] == marks[2];
  return is_recorded ? a.w[0] : record_constant(a.w);
}

Fe in(const char* name) { return element(record_in(name)); }
void out(const Fe& a, const char* name) { record_out(value_of(a), name); }

struct RecordingField {
  static constexpr std::string_view kernel_name = "p256-recording";

  static void mul(Fe& r, const Fe& a, const Fe& b) noexcept { r = two("mul", a, b); }
  static void sqr(Fe& r, const Fe& a) noexcept { r = one("sqr", a); }
  static void add(Fe& r, const Fe& a, const Fe& b) noexcept { r = two("add", a, b); }
  static void sub(Fe& r, const Fe& a, const Fe& b) noexcept { r = two("sub", a, b); }
  static void add_weak(Fe& r, const Fe& a, const Fe& b) noexcept { r = two("add_weak", a, b); }
  static void half(Fe& r, const Fe& a) noexcept { r = one("half", a); }
  static void three_halves(Fe& r, const Fe& a) noexcept { r = one("three_halves", a); }
  static void choose(Fe& r, crypto::ct::Mask, const Fe& a, const Fe& b) noexcept { r = two("choose", a, b); }
  /// Any entry of the row: each of both coordinates counts.
  static void select(Affine& r, const Affine* row, int count, std::uint64_t) noexcept {
    r = row[0];
    for (int i = 1; i < count; i++) {
      r.x = two("choose", r.x, row[i].x);
      r.y = two("choose", r.y, row[i].y);
    }
  }

 private:
  static Fe one(const char* operation, const Fe& a) { return element(record(operation, value_of(a))); }
  static Fe two(const char* operation, const Fe& a, const Fe& b) {
    const std::uint64_t first = value_of(a), second = value_of(b);
    return element(record(operation, first, second));
  }
};

}  // namespace
}  // namespace signet::bounds

// The inversion by division steps works on words, of which there are none here.
template <>
void signet::crypto::p256::invert<signet::bounds::RecordingField>(Fe& r, const Fe& a) noexcept {
  using signet::bounds::RecordingField;
  r = signet::bounds::element(signet::bounds::record("inverse", signet::bounds::value_of(a)));
  RecordingField::mul(r, r, r_cubed);
}

namespace signet::bounds {
namespace {

namespace p256 = crypto::p256;
using F = RecordingField;

Affine affine_in() { return {in("affine.x"), in("affine.y")}; }
p256::Jacobian jacobian_in() { return {in("jacobian.x"), in("jacobian.y"), in("jacobian.z")}; }
p256::CommonZ common_in() {
  return {in("common.x1"), in("common.y1"), in("common.x2"), in("common.y2"), in("common.z")};
}

void affine_out(const Affine& p) {
  out(p.x, "affine.x");
  out(p.y, "affine.y");
}
void jacobian_out(const p256::Jacobian& p) {
  out(p.x, "jacobian.x");
  out(p.y, "jacobian.y");
  out(p.z, "jacobian.z");
}
void common_out(const p256::CommonZ& p) {
  out(p.x1, "common.x1");
  out(p.y1, "common.y1");
  out(p.x2, "common.x2");
  out(p.y2, "common.y2");
  out(p.z, "common.z");
}

template <class Body>
void formula(const char* name, Body body) {
  begin_formula(name);
  body();
  end_formula();
}

void record_sums() {
  formula("p256 start", [] {
    const Affine p = affine_in();
    jacobian_out({p.x, p.y, p256::one});
  });
  formula("p256 double_point", [] {
    p256::Jacobian p = jacobian_in();
    p256::double_point<F>(p, p);
    jacobian_out(p);
  });
  formula("p256 add_mixed", [] {
    p256::Jacobian p = jacobian_in();
    const p256::Differences d = p256::add_mixed<F>(p, p, affine_in());
    jacobian_out(p);
    out(d.x, "difference.x");
    out(d.y, "difference.y");
  });
  formula("p256 add_digit_vartime, negative", [] {
    p256::Jacobian p = jacobian_in();
    const Affine row[1] = {affine_in()};
    p256::add_digit_vartime<F>(p, row, -1);
    jacobian_out(p);
  });
}

void record_multiples() {
  formula("p256 double_common_z", [] {
    p256::CommonZ p;
    p256::double_common_z<F>(p, affine_in());
    common_out(p);
  });
  formula("p256 add_common_z", [] {
    p256::CommonZ p = common_in();
    Fe ratio;
    p256::add_common_z<F>(p, ratio);
    common_out(p);
    out(ratio, "ratio");
  });
  formula("p256 invert, of a common z", [] {
    Fe r;
    p256::invert<F>(r, in("common.z"));
    out(r, "z_inverse");
  });
  formula("p256 invert, of a point's z", [] {
    Fe r;
    p256::invert<F>(r, in("jacobian.z"));
    out(r, "z_inverse");
  });
  formula("p256 z_inverse by ratio", [] {
    Fe r = in("z_inverse");
    F::mul(r, r, in("ratio"));
    out(r, "z_inverse");
  });
  formula("p256 scale_to_affine, of a common z", [] {
    Affine p;
    p256::scale_to_affine<F>(p, in("common.x2"), in("common.y2"), in("z_inverse"));
    affine_out(p);
  });
  formula("p256 scale_to_affine, of a point", [] {
    Affine p;
    p256::scale_to_affine<F>(p, in("jacobian.x"), in("jacobian.y"), in("z_inverse"));
    affine_out(p);
  });
  formula("p256 negate_if", [] {
    Affine p = affine_in();
    p256::negate_if<F>(p.y, crypto::ct::Mask::from_bit(1));
    affine_out(p);
  });
}

const p256::Kernel& recording_kernel() {
  static constinit const p256::Kernel kernel = p256::make_kernel<F>();
  return kernel;
}

crypto::P256PublicKey any_key() {
  crypto::P256PublicKey key;
  key.point = affine_in();
  return key;
}

// The sequence of these does not depend on the secret.
void record_secret_operations() {
  using crypto::P256PrivateKey;
  const std::uint8_t octets[32] = {1, 2, 3};
  const P256PrivateKey key = P256PrivateKey::from_scalar(octets).value();
  formula("p256 key pair", [&] {
    affine_out(P256PrivateKey::from_scalar(octets, recording_kernel()).value().public_key().point);
  });
  formula("p256 ECDH", [&] {
    std::uint8_t shared[32];
    crypto::p256_ecdh(shared, key, any_key(), recording_kernel());
  });
  formula("p256 sign", [&] {
    crypto::EcdsaSignature signature;
    crypto::p256_sign(signature, key, octets, {}, recording_kernel());
  });
}

// Two signatures of the many: the formulas above are the proof for all. An r below p - n is looked at twice.
void record_verifications() {
  crypto::EcdsaSignature signature = {};
  signature.r[31] = 5;
  signature.s[0] = 0x71;
  signature.s[31] = 0x53;
  const std::uint8_t digest[32] = {0xd3, 0x1c};
  formula("p256 verify", [&] {
    const crypto::P256PublicKey key = any_key();
    static_cast<void>(crypto::p256_verify_vartime(key, digest, signature, recording_kernel()));
  });
  formula("p256 verify by table", [&] {
    const auto table = std::make_unique<crypto::P256VerifyTable>(
        crypto::P256VerifyTable::build_vartime(any_key(), recording_kernel()));
    static_cast<void>(table->verify_vartime(digest, signature));
  });
}

}  // namespace

void record_p256() {
  record_sums();
  record_multiples();
  record_secret_operations();
  record_verifications();
}

}  // namespace signet::bounds
