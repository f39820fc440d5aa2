// Beast's vocabulary, as the rest of the tree and its users name it: method, status and field name.
#pragma once

// Boost 1.81's verb.hpp and status.hpp use std::ostream without including it.
#include <ostream>
// (kept apart, so that no formatter moves <ostream> down)
#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>

namespace signet::http {

using boost::beast::http::field;
using boost::beast::http::status;
using boost::beast::http::verb;

}  // namespace signet::http
