#include <signet/server/leases.hpp>

namespace signet::server {

Received* ReceiveLease::hold(Received& hot) noexcept {
  Received* place = &hot;
  // A pinned one stays: views into it are out. Others move, so that the hot ones stay few and warm.
  if (!hot.pinned() && held_free() > 0) {
    place = pool_.take(*hot.owner);
    place->take_from(hot);
    place->scratch = hot.scratch;
    give_back(hot);
  }
  make_held(*place);
  return place;
}

}  // namespace signet::server
