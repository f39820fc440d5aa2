// Beast's whole messages, for handlers whose code speaks them already. Its headers are large: include this
// only where they are wanted. Header-only, as these parts of Beast are; no Asio runs, and nothing is linked.
#pragma once

#include <string>
#include <utility>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/string_body.hpp>

#include <signet/http/request.hpp>
#include <signet/http/response.hpp>

namespace signet {

using BeastRequest = boost::beast::http::request<boost::beast::http::span_body<char const>>;
using BeastResponse = boost::beast::http::response<boost::beast::http::string_body>;

/// The request as Beast's message. Method, target and fields are copied, each as it was received; the body is
/// not, and is valid until the handler returns. A body that came in chunks is whole here, though the
/// Transfer-Encoding field stands there still. Allocates for each field; without memory std::bad_alloc.
[[nodiscard]] inline BeastRequest to_beast(const http::Request& request) {
  BeastRequest message;
  message.version(request.version());
  if (request.method() == http::verb::unknown) {
    message.method_string(request.method_string());
  } else {
    message.method(request.method());
  }
  message.target(request.target());
  for (const http::Header& header : request.headers()) message.insert(header.id, header.name, header.value);
  message.body() = {request.body().data(), request.body().size()};
  return message;
}

/// Whether answer() leaves this field out: the server writes it itself.
[[nodiscard]] constexpr bool is_written_by_server(http::field id) noexcept {
  return id == http::field::content_length || id == http::field::transfer_encoding ||
         id == http::field::connection || id == http::field::keep_alive || id == http::field::date;
}

/// Answers with a message of Beast's: the fields are copied behind those that were set already, and the body
/// is moved and sent from its place. Content-Length, Transfer-Encoding, Connection, Keep-Alive and Date are
/// left out, since the server writes them; a message that says `Connection: close` closes. The reason phrase
/// is the status's own. For HEAD give the body as for GET: it is counted, not sent. False, and the answer is
/// 500, for what Response::status() and Response::header() refuse.
inline bool answer(http::Response& response, BeastResponse message) {
  bool taken = response.status(static_cast<http::status>(message.result_int()));
  for (const auto& line : message) {
    if (is_written_by_server(line.name())) continue;
    taken = (line.name() == http::field::unknown ? response.header(line.name_string(), line.value())
                                                 : response.header(line.name(), line.value())) &&
            taken;
  }
  if (!message.keep_alive()) response.close();
  return response.own(std::move(message.body())) && taken;
}

}  // namespace signet
