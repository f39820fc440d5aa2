#include <signet/server/leases.hpp>

namespace signet::server {

Received* ReceiveLease::hold(Received& hot) noexcept {
  Received* place = &hot;
  // A pinned one stays: views into it are out. Others move, so that the hot ones stay few and warm.
  if (!hot.pinned()) {
    place = pool_.take(*hot.owner);
    place->take_from(hot);
    place->scratch = hot.scratch;
    pool_.give(&hot);
  }
  place->held = true;
  held_count_++;
  held_.push_back(*place);
  return place;
}

void ReceiveLease::give_back(Received& buffer) noexcept {
  if (buffer.held) {
    buffer.unlink();
    held_count_--;
  }
  pool_.give(&buffer);
}

}  // namespace signet::server
