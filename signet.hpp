// Signet, for its users: an App, its routes, and what handlers are given.
#pragma once

#include <signet/http/events.hpp>
#include <signet/http/request.hpp>
#include <signet/http/responder.hpp>
#include <signet/http/response.hpp>
#include <signet/http/upload.hpp>
#include <signet/server/app.hpp>
#include <signet/server/options.hpp>

namespace signet {

using http::AccessEntry;
using http::EventStream;
using http::field;
using http::Receiver;
using http::Request;
using http::Responder;
using http::Response;
using http::RouteOptions;
using http::status;
using http::Stream;
using http::stream_events;
using http::Upload;
using http::verb;
using http::Waker;
using server::Options;

}  // namespace signet
