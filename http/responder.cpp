#include <exception>
#include <new>

#include <signet/http/responder.hpp>

namespace signet::http {
namespace {

void drop_late(base::Posted& message) noexcept { static_cast<Late&>(message).close(); }

}  // namespace

Late* Late::make(const Request& request, Awaited& exchange) noexcept {
  base::Region* region = base::Region::open_for_any_thread();
  if (region == nullptr) return nullptr;
  Late* late = region->make<Late>(*region, request, exchange);
  if (late == nullptr) {
    region->close();
  } else if (!late->request_.keep_all()) {
    late->close();
    late = nullptr;
  }
  return late;
}

Late::Late(base::Region& region, const Request& request, Awaited& awaited) noexcept
    : region_(&region),
      box_(awaited.box()),
      request_(request, region, exchange_),
      response_(region, ResponseFacts::of(request.head()), exchange_) {
  answers = true;
  drop = drop_late;
  awaited.address(*this);
  exchange_ = awaited;
}

void Late::close() noexcept {
  base::Region* region = region_;
  this->~Late();
  region->close();
}

bool Late::send() noexcept {
  const std::shared_ptr<base::PostBox> box = box_;
  const bool taken = box != nullptr && box->post(*this);
  if (!taken) close();
  return taken;
}

Responder& Responder::operator=(Responder&& other) noexcept {
  if (this != &other) {
    Responder dropped(std::exchange(late_, std::exchange(other.late_, nullptr)));
  }
  return *this;
}

Responder::~Responder() {
  if (late_ == nullptr) return;
  late_->response().reset_to_error(http::status::internal_server_error, "the server did not answer");
  send();
}

void Responder::send() noexcept {
  if (late_ != nullptr) (void)std::exchange(late_, nullptr)->send();
}

Responder Request::later() const {
  Late* late = Late::make(*this, *exchange_);
  // No word for raising stands here: only handlers raise exceptions, and this one is their caller's to catch.
  if (late == nullptr) std::rethrow_exception(std::make_exception_ptr(std::bad_alloc()));
  late_ = true;
  return Responder(late);
}

}  // namespace signet::http
