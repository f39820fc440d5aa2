#include <exception>
#include <new>

#include <signet/http/responder.hpp>

namespace signet::http {
namespace {

void drop_late(base::Posted& message) noexcept { static_cast<Late&>(message).close(); }

}  // namespace

Late* Late::make(const Request& request, Awaited& awaited) noexcept {
  const std::size_t bytes = base::chunk_bytes + request.head().octets.size() + request.body().size();
  const std::shared_ptr<base::PostBox> box = awaited.box();
  if (box != nullptr && !box->hold(bytes)) return nullptr;
  base::Region* region = base::Region::open_for_any_thread();
  Late* late = region == nullptr ? nullptr : region->make<Late>(*region, request, awaited, bytes);
  if (late == nullptr) {
    if (region != nullptr) region->close();
    if (box != nullptr) box->release(bytes);
  } else if (!late->request_.keep_all()) {
    late->close();
    late = nullptr;
  }
  return late;
}

Late::Late(base::Region& region, const Request& request, Awaited& awaited, std::size_t bytes) noexcept
    : region_(&region),
      box_(awaited.box()),
      bytes_(bytes),
      request_(request, region, exchange_),
      response_(region, ResponseFacts::of(request.head()), exchange_) {
  answers = true;
  drop = drop_late;
  awaited.address(*this);
  exchange_ = Awaited::copy_of(awaited);
}

void Late::close() noexcept {
  if (box_ != nullptr) box_->release(bytes_);
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
  if (exchange_->is_copy()) return {};  // it is late already
  Late* late = Late::make(*this, *exchange_);
  // No word for raising stands here: only handlers raise exceptions, and this one is their caller's to catch.
  if (late == nullptr) std::rethrow_exception(std::make_exception_ptr(std::bad_alloc()));
  late_ = true;
  return Responder(late);
}

}  // namespace signet::http
