// Prints the field operations of every point formula and public-key operation, for formulas.py.
#include <signet/tests/bounds/recording.hpp>

int main() {
  signet::bounds::record_p256();
  signet::bounds::record_x25519();
  return 0;
}
