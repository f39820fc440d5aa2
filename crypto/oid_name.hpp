// How a person reads an object identifier. Used at start-up.
#pragma once

#include <string>

#include <signet/base/bytes.hpp>

namespace signet::crypto::oid {

/// "P-384" or "RSA" for a key's algorithm or curve that has a name here, else its numbers
/// ("1.2.840.10045.4.3.2"). `oid` is valid DER content, as der::Reader::read_oid gives it.
[[nodiscard]] std::string name(base::Bytes oid);

}  // namespace signet::crypto::oid
