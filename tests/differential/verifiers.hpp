// One public key of P-256 in every way of verification: libcrypto's, and ours on each kernel, with and
// without the key's table.
#pragma once

#include <signet/crypto/p256.hpp>
#include <signet/tests/differential/kernel_rows.hpp>
#include <signet/tests/differential/openssl.hpp>

namespace signet::differential {

struct SignatureCase {
  Octets digest, r, s;
};

using P256Rows = std::vector<KernelRow<crypto::p256::Kernel>>;

/// The rows of one kind of cases.
struct VerifyRows {
  P256Rows plain, table;

  VerifyRows(Report& report, const std::string& kind);
};

class Verifiers {
 public:
  Verifiers(const Octets& point, VerifyRows& rows);

  /// Compares; whether libcrypto accepted.
  bool compare(const SignatureCase& c) const;

 private:
  Octets point_;
  OpensslP256Key theirs_;
  crypto::P256PublicKey ours_;
  std::vector<crypto::P256VerifyTable> tables_;  // as rows_.table
  VerifyRows& rows_;
};

}  // namespace signet::differential
