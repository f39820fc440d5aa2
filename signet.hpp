// Signet, for its users: an App, its routes, and what handlers are given.
#pragma once

#include <signet/http/request.hpp>
#include <signet/http/response.hpp>
#include <signet/server/app.hpp>
#include <signet/server/options.hpp>

namespace signet {

using http::field;
using http::Request;
using http::Response;
using http::status;
using http::verb;
using server::Options;

}  // namespace signet
