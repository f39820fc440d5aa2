#include <cstring>

#include <signet/tests/differential/verifiers.hpp>

namespace signet::differential {
namespace {

crypto::P256PublicKey parsed(const Octets& point) {
  const auto key = crypto::P256PublicKey::parse_vartime(point);
  require(key.has_value(), "a point of libcrypto's that we refuse");
  return *key;
}

}  // namespace

VerifyRows::VerifyRows(Report& report, const std::string& kind)
    : plain(kernel_rows(report, kind, crypto::p256::kernels())),
      table(kernel_rows(report, kind + ", table", crypto::p256::kernels())) {}

Verifiers::Verifiers(const Octets& point, VerifyRows& rows)
    : point_(point), theirs_(point), ours_(parsed(point)), rows_(rows) {
  tables_.reserve(rows.table.size());
  for (const auto& [kernel, row] : rows.table)
    tables_.push_back(crypto::P256VerifyTable::build_vartime(ours_, *kernel));
}

bool Verifiers::compare(const SignatureCase& c) const {
  crypto::EcdsaSignature signature;
  std::memcpy(signature.r, c.r.data(), 32);
  std::memcpy(signature.s, c.s.data(), 32);
  const bool theirs = theirs_.verify(c.digest, c.r, c.s);
  for (const auto& [kernel, row] : rows_.plain) {
    row->compare(crypto::p256_verify_vartime(ours_, c.digest, signature, *kernel), theirs,
                 {point_, c.digest, c.r, c.s});
  }
  for (std::size_t i = 0; i < tables_.size(); i++) {
    rows_.table[i].row->compare(tables_[i].verify_vartime(c.digest, signature), theirs,
                                {point_, c.digest, c.r, c.s});
  }
  return theirs;
}

}  // namespace signet::differential
