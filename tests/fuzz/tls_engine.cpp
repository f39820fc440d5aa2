// The engine from the first octet on, fed whatever comes.
//
// Control: bits 0-2 size of the pieces, bit 3 limits that short inputs reach, bit 4 no application protocols.
#include <signet/tests/fuzz/engine.hpp>
#include <signet/tests/fuzz/require.hpp>

using namespace signet;
using namespace signet::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Input input({data, size});
  tls::ServerSettings settings = usual_settings();
  if (input.control(3, 1) != 0) settings.limits = small_limits();
  if (input.control(4, 1) != 0) settings.protocols = {};
  Engine engine(settings);
  engine.feed(input.rest(), piece_bytes(input.control(0, 3)));
  require(!engine.established(), "nobody guesses a Finished");
  (void)engine.take_output();
  return 0;
}
