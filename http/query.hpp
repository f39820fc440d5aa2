// The parameters of a query string, name=value joined by '&', as forms and scripts write them: '+' is a blank
// and octets are percent-encoded (the URL Standard's application/x-www-form-urlencoded).
#pragma once

#include <optional>
#include <string_view>

#include <signet/base/region.hpp>

namespace signet::http {

/// One parameter as it was received; the value is empty when there is no '='.
struct QueryParameter {
  std::string_view name;
  std::string_view value;
};

/// Goes over a query once, without decoding. Empty parameters, as between "&&", are passed over.
class QueryReader {
 public:
  /// `query` is what stands behind the '?'.
  explicit QueryReader(std::string_view query) noexcept : rest_(query) {}

  /// The next parameter; nothing when there is none.
  [[nodiscard]] std::optional<QueryParameter> next() noexcept;

 private:
  std::string_view rest_;
};

/// A name or value decoded, in `region` if it differs from `text`. One with a malformed escape, or with %00,
/// which no text means, is answered as it was received, all of it. Nothing when there is no memory.
[[nodiscard]] std::optional<std::string_view> decode_query(std::string_view text,
                                                           base::Region& region) noexcept;

/// Whether decode_query(text) would be `decoded`; needs no memory.
[[nodiscard]] bool decodes_to(std::string_view text, std::string_view decoded) noexcept;

/// The decoded value of the first parameter whose decoded name is `name`, as decode_query() says. Nothing
/// when there is none, or no memory. Looks at each octet of the query at most twice.
[[nodiscard]] std::optional<std::string_view> query_parameter(std::string_view query, std::string_view name,
                                                              base::Region& region) noexcept;

/// Calls `use(name, value)` for each parameter, both decoded, in the order received; answers false and stops
/// when there is no memory. Takes no more of `region` than the query has octets.
template <class Use>
bool for_each_query_parameter(std::string_view query, base::Region& region, Use&& use) {
  QueryReader reader(query);
  for (auto parameter = reader.next(); parameter; parameter = reader.next()) {
    const auto name = decode_query(parameter->name, region);
    const auto value = decode_query(parameter->value, region);
    if (!name || !value) return false;
    use(*name, *value);
  }
  return true;
}

}  // namespace signet::http
