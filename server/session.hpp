// HTTP/1.1 on a channel: the one file where a connection and HTTP meet.
//
// Between requests a session keeps nothing. While a head arrives, what is known of it lies with the input
// (Scratch); once it is whole, an exchange lives in a region of its own until its answer is gone.
#pragma once

#include <signet/server/http_service.hpp>

namespace signet::server {

/// As a service; `http` must outlive the workers.
[[nodiscard]] Service http_service(const HttpService& http) noexcept;

}  // namespace signet::server
