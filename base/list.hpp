// An intrusive doubly linked list: what waits, is ready or will expire is linked through itself and allocates
// nothing.
#pragma once

namespace signet::base {

/// A place in one list. An owner derives from one Link per list that it can be in; the tag tells them apart.
template <class Tag>
struct Link {
  Link* prev = nullptr;
  Link* next = nullptr;

  Link() noexcept = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  [[nodiscard]] bool linked() const noexcept { return next != nullptr; }

  /// Leaves the list it is in, if any.
  void unlink() noexcept {
    if (!linked()) return;
    prev->next = next;
    next->prev = prev;
    prev = next = nullptr;
  }
};

/// First in, first out. `Owner` derives from Link<Tag>. The list must not move, and does not own.
template <class Owner, class Tag>
class List {
 public:
  List() noexcept { head_.prev = head_.next = &head_; }

  [[nodiscard]] bool empty() const noexcept { return head_.next == &head_; }
  /// The oldest; the list must not be empty.
  [[nodiscard]] Owner& front() noexcept { return *static_cast<Owner*>(head_.next); }

  /// Appends `link`, which must be in no list.
  void push_back(Link<Tag>& link) noexcept {
    link.prev = head_.prev;
    link.next = &head_;
    head_.prev->next = &link;
    head_.prev = &link;
  }

  /// Takes the oldest out; the list must not be empty.
  Owner& pop_front() noexcept {
    Owner& first = front();
    static_cast<Link<Tag>&>(first).unlink();
    return first;
  }

  /// Moves all of this list to the end of `other`, in order.
  void move_all_to(List& other) noexcept {
    while (!empty()) other.push_back(static_cast<Link<Tag>&>(pop_front()));
  }

  /// Calls `visit(Owner&)` for each, oldest first; `visit` may unlink the one it is given.
  template <class Visit>
  void for_each(Visit&& visit) noexcept {
    for (Link<Tag>* at = head_.next; at != &head_;) {
      Link<Tag>* following = at->next;
      visit(*static_cast<Owner*>(at));
      at = following;
    }
  }

 private:
  Link<Tag> head_;
};

}  // namespace signet::base
