#include <ctime>

#include <signet/http/date.hpp>
#include <signet/server/http_service.hpp>

namespace signet::server {
namespace {

std::string_view date_now(Ticks now) noexcept {
  struct Cached {
    Ticks made = 0;
    bool valid = false;
    char text[http::date_bytes];
  };
  thread_local Cached cached;
  if (!cached.valid || now - cached.made >= 1000) {
    http::format_date(cached.text, std::time(nullptr));
    cached.made = now;
    cached.valid = true;
  }
  return {cached.text, http::date_bytes};
}

}  // namespace

http::SendingFacts sending_facts(const Channel& channel) noexcept {
  return {.date = date_now(channel.now()), .stays = service_of(channel).stays};
}

}  // namespace signet::server
