// What the access log is told of an exchange.
#pragma once

#include <signet/server/exchange.hpp>

namespace signet::server {

/// Keeps what the log will want. Only where the service logs accesses.
void begin_access(Exchange& exchange) noexcept;
/// The answer's first octet is in a cell.
void note_first_octet(Channel& channel, Exchange& exchange) noexcept;
/// `complete`: all of the answer is in cells.
void log_access(Channel& channel, Exchange& exchange, bool complete) noexcept;
/// A head that could not be read was answered so.
void log_refusal(Channel& channel, http::status code) noexcept;

}  // namespace signet::server
