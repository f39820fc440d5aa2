// What is compared; each function adds its rows.
#pragma once

#include <signet/tests/differential/report.hpp>

namespace signet::differential {

void compare_x25519(Report& report);
void compare_p256_keys(Report& report);
void compare_ecdsa_sign(Report& report);
void compare_ecdsa_verify(Report& report);
void compare_ecdsa_walks(Report& report);
void compare_aeads(Report& report);
void compare_hashes(Report& report);
void compare_macs(Report& report);

}  // namespace signet::differential
