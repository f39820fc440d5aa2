#include <signet/http/waker.hpp>

namespace signet::http {

Waker::Waker(Awaited& exchange) : message_(std::make_shared<Message>()) {
  message_->drop = drop;
  message_->box = exchange.box();
  exchange.address(*message_);
}

void Waker::wake() const noexcept {
  if (message_ == nullptr || message_->box == nullptr || message_->under_way.exchange(true)) return;
  message_->self = message_;
  if (!message_->box->post(*message_)) drop(*message_);
}

/// The message may be sent again from here on. An exchange, not a store: what was done before a wake() that
/// found the message under way is seen by the function that is called now.
void Waker::drop(base::Posted& posted) noexcept {
  auto& message = static_cast<Message&>(posted);
  const std::shared_ptr<Message> kept = std::move(message.self);
  message.under_way.exchange(false);
}

}  // namespace signet::http
