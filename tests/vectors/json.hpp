// Reading the vectors' JSON: fields by name, with an empty value where there is none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <simdjson.h>

namespace signet::vectors {

using Json = simdjson::dom::element;
using Octets = std::vector<std::uint8_t>;

[[nodiscard]] bool has(Json object, const char* key);
/// The field itself; an empty object where there is none.
[[nodiscard]] Json child(Json object, const char* key);
/// The elements of an array; none where there is no array.
[[nodiscard]] std::vector<Json> list(Json object, const char* key);
/// A text; a number is given as its digits.
[[nodiscard]] std::string text(Json object, const char* key);
[[nodiscard]] std::uint64_t number(Json object, const char* key);
[[nodiscard]] bool flag(Json object, const char* key);
[[nodiscard]] Octets hex(Json object, const char* key);
[[nodiscard]] Octets base64(Json object, const char* key);

/// A number in hexadecimal as `bytes` octets, whatever its leading zeros; more octets when it does not fit.
[[nodiscard]] Octets hex_number(Json object, const char* key, std::size_t bytes);

/// What a reader calls the case: "id", "tcId", "n", "name" or "section".
[[nodiscard]] std::string id_of(Json one);

/// How many cases a whole file has, in whichever of the collection's forms it comes.
[[nodiscard]] std::size_t case_count(Json document);

}  // namespace signet::vectors
