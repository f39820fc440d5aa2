#include <array>

#include <signet/tls/extensions.hpp>
#include <signet/tls/record_layout.hpp>

namespace signet::tls {

std::string_view name_of(ProtocolVersion version) noexcept {
  switch (version) {
    case ProtocolVersion::tls10:
      return "TLSv1";
    case ProtocolVersion::tls11:
      return "TLSv1.1";
    case ProtocolVersion::tls12:
      return "TLSv1.2";
    case ProtocolVersion::tls13:
      return "TLSv1.3";
    case ProtocolVersion::none:
      break;
  }
  return "none";
}

RawExtension RawExtension::read(Reader& reader) noexcept {
  const std::uint16_t id = reader.u16();
  return {id, reader.vector16()};
}

void RawExtension::write(Writer& writer) const noexcept {
  writer.u16(id);
  writer.vector16(body);
}

KeyShare KeyShare::read(Reader& reader) noexcept {
  const auto group = static_cast<NamedGroup>(reader.u16());
  const base::Bytes key = reader.vector16();
  if (key.empty()) reader.fail();
  return {group, key};
}

void KeyShare::write(Writer& writer) const noexcept {
  writer.u16(static_cast<std::uint16_t>(group));
  writer.vector16(key);
}

ProtocolName ProtocolName::read(Reader& reader) noexcept {
  const base::Bytes name = reader.vector8();
  if (name.empty()) reader.fail();
  return {name};
}

void ProtocolName::write(Writer& writer) const noexcept { writer.vector8(name); }

PskIdentity PskIdentity::read(Reader& reader) noexcept {
  const base::Bytes identity = reader.vector16();
  if (identity.empty()) reader.fail();
  return {identity, reader.u32()};
}

void PskIdentity::write(Writer& writer) const noexcept {
  writer.vector16(identity);
  writer.u32(obfuscated_ticket_age);
}

PskBinder PskBinder::read(Reader& reader) noexcept {
  const base::Bytes binder = reader.vector8();
  if (binder.size() < 32) reader.fail();
  return {binder};
}

void PskBinder::write(Writer& writer) const noexcept { writer.vector8(binder); }

namespace {

using Place = ExtensionPlace;

template <class Item>
void write_items(Writer& writer, const List<Item>& list) noexcept {
  for (const Item& item : list) item.write(writer);
}

template <class Value>
void write_words(Writer& writer, const WordList<Value>& list) noexcept {
  for (const Value value : list) writer.u16(static_cast<std::uint16_t>(value));
}

// A vector of words is never empty in TLS, and an odd octet at its end fails the reader.
template <class Value>
WordList<Value> word_list(Reader& reader, base::Bytes encoded) noexcept {
  if (encoded.empty() || encoded.size() % 2 != 0) reader.fail();
  return WordList<Value>(encoded);
}

template <class Item>
List<Item> item_list(Reader& reader, base::Bytes encoded) noexcept {
  const List<Item> list(encoded);
  if (!list.well_formed()) reader.fail();
  return list;
}

// RFC 6066 section 3. Host name is the only type of name there is, and a list has one of each type: so it has
// one entry. What the name looks like is not judged; clients send IP literals, which the RFC forbids.
Reason parse_server_name(Extensions& e, Reader& reader, Place place) noexcept {
  if (place != Place::client_hello) return Reason::none;
  Reader list(reader.vector16());
  const bool host_name = list.u8() == 0;
  e.server_name = list.vector16();
  if (!host_name || e.server_name.empty() || !list.done()) reader.fail();
  return Reason::none;
}

void write_server_name(Writer& writer, const Extensions& e, Place place) noexcept {
  if (place != Place::client_hello) return;
  const Writer::Scope list = writer.open16();
  writer.u8(0);
  writer.vector16(e.server_name);
}

Reason parse_supported_groups(Extensions& e, Reader& reader, Place) noexcept {
  e.supported_groups = word_list<NamedGroup>(reader, reader.vector16());
  return Reason::none;
}

void write_supported_groups(Writer& writer, const Extensions& e, Place) noexcept {
  const Writer::Scope list = writer.open16();
  write_words(writer, e.supported_groups);
}

Reason parse_signature_algorithms(Extensions& e, Reader& reader, Place) noexcept {
  e.signature_algorithms = word_list<SignatureScheme>(reader, reader.vector16());
  return Reason::none;
}

void write_signature_algorithms(Writer& writer, const Extensions& e, Place) noexcept {
  const Writer::Scope list = writer.open16();
  write_words(writer, e.signature_algorithms);
}

Reason parse_signature_algorithms_cert(Extensions& e, Reader& reader, Place) noexcept {
  e.signature_algorithms_cert = word_list<SignatureScheme>(reader, reader.vector16());
  return Reason::none;
}

void write_signature_algorithms_cert(Writer& writer, const Extensions& e, Place) noexcept {
  const Writer::Scope list = writer.open16();
  write_words(writer, e.signature_algorithms_cert);
}

bool has_empty_name(base::Bytes names) noexcept {
  Reader reader(names);
  while (!reader.empty()) {
    if (reader.vector8().empty()) return reader.ok();
  }
  return false;
}

// A server answers with a list of exactly one name (RFC 7301 section 3.1).
Reason parse_protocols(Extensions& e, Reader& reader, Place place) noexcept {
  const base::Bytes names = reader.vector16();
  if (names.empty()) reader.fail();
  if (has_empty_name(names)) return Reason::alpn_empty_name;
  e.protocols = item_list<ProtocolName>(reader, names);
  if (place == Place::client_hello) return Reason::none;
  e.selected_protocol = e.protocols.begin()->name;
  if (e.selected_protocol.size() + 1 != names.size()) reader.fail();
  return Reason::none;
}

void write_protocols(Writer& writer, const Extensions& e, Place place) noexcept {
  const Writer::Scope list = writer.open16();
  if (place == Place::client_hello) {
    write_items(writer, e.protocols);
  } else {
    writer.vector8(e.selected_protocol);
  }
}

Reason parse_record_size_limit(Extensions& e, Reader& reader, Place) noexcept {
  e.record_size_limit = reader.u16();
  if (reader.done() && e.record_size_limit < min_record_size_limit)
    return Reason::record_size_limit_too_small;
  return Reason::none;
}

void write_record_size_limit(Writer& writer, const Extensions& e, Place) noexcept {
  writer.u16(e.record_size_limit);
}

// RFC 8446 section 4.2.11.
Reason parse_pre_shared_key(Extensions& e, Reader& reader, Place place) noexcept {
  if (place == Place::server_hello) {
    e.selected_identity = reader.u16();
    return Reason::none;
  }
  e.psk_identities = item_list<PskIdentity>(reader, reader.vector16());
  e.psk_binders = item_list<PskBinder>(reader, reader.vector16());
  if (e.psk_identities.empty() || e.psk_binders.empty()) reader.fail();
  if (reader.done() && e.psk_identities.count() != e.psk_binders.count()) {
    return Reason::psk_identities_and_binders_differ;
  }
  return Reason::none;
}

void write_pre_shared_key(Writer& writer, const Extensions& e, Place place) noexcept {
  if (place == Place::server_hello) return writer.u16(e.selected_identity);
  {
    const Writer::Scope identities = writer.open16();
    write_items(writer, e.psk_identities);
  }
  const Writer::Scope binders = writer.open16();
  write_items(writer, e.psk_binders);
}

// Empty, except in a ticket (RFC 8446 section 4.2.10).
Reason parse_early_data(Extensions& e, Reader& reader, Place place) noexcept {
  if (place == Place::new_session_ticket) e.max_early_data_bytes = reader.u32();
  return Reason::none;
}

void write_early_data(Writer& writer, const Extensions& e, Place place) noexcept {
  if (place == Place::new_session_ticket) writer.u32(e.max_early_data_bytes);
}

Reason parse_supported_versions(Extensions& e, Reader& reader, Place place) noexcept {
  if (place == Place::client_hello) {
    e.supported_versions = word_list<ProtocolVersion>(reader, reader.vector8());
  } else {
    e.selected_version = static_cast<ProtocolVersion>(reader.u16());
  }
  return Reason::none;
}

void write_supported_versions(Writer& writer, const Extensions& e, Place place) noexcept {
  if (place != Place::client_hello) return writer.u16(static_cast<std::uint16_t>(e.selected_version));
  const Writer::Scope list = writer.open8();
  write_words(writer, e.supported_versions);
}

Reason parse_cookie(Extensions& e, Reader& reader, Place) noexcept {
  e.cookie = reader.vector16();
  if (e.cookie.empty()) reader.fail();
  return Reason::none;
}

void write_cookie(Writer& writer, const Extensions& e, Place) noexcept { writer.vector16(e.cookie); }

Reason parse_psk_modes(Extensions& e, Reader& reader, Place) noexcept {
  e.psk_modes = reader.vector8();
  if (e.psk_modes.empty()) reader.fail();
  return Reason::none;
}

void write_psk_modes(Writer& writer, const Extensions& e, Place) noexcept { writer.vector8(e.psk_modes); }

// A list, which may be empty; the group that a HelloRetryRequest asks for; or the server's share (RFC 8446
// section 4.2.8).
Reason parse_key_share(Extensions& e, Reader& reader, Place place) noexcept {
  if (place == Place::client_hello) {
    e.key_shares = item_list<KeyShare>(reader, reader.vector16());
  } else if (place == Place::hello_retry_request) {
    e.selected_group = static_cast<NamedGroup>(reader.u16());
  } else {
    e.key_share = KeyShare::read(reader);
  }
  return Reason::none;
}

void write_key_share(Writer& writer, const Extensions& e, Place place) noexcept {
  if (place == Place::hello_retry_request) return writer.u16(static_cast<std::uint16_t>(e.selected_group));
  if (place != Place::client_hello) return e.key_share.write(writer);
  const Writer::Scope list = writer.open16();
  write_items(writer, e.key_shares);
}

struct Descriptor {
  ExtensionId id;
  unsigned places;
  Reason (*parse)(Extensions&, Reader&, Place) noexcept;
  void (*write)(Writer&, const Extensions&, Place) noexcept;
};

constexpr unsigned ch = static_cast<unsigned>(Place::client_hello);
constexpr unsigned sh = static_cast<unsigned>(Place::server_hello);
constexpr unsigned hrr = static_cast<unsigned>(Place::hello_retry_request);
constexpr unsigned ee = static_cast<unsigned>(Place::encrypted_extensions);
constexpr unsigned cr = static_cast<unsigned>(Place::certificate_request);
constexpr unsigned nst = static_cast<unsigned>(Place::new_session_ticket);

// The places are the table of RFC 8446 section 4.2. The order is the one in which our own messages are
// written: pre_shared_key must be the last.
constexpr std::array descriptors = {
    Descriptor{ExtensionId::server_name, ch | ee, parse_server_name, write_server_name},
    Descriptor{ExtensionId::supported_groups, ch | ee, parse_supported_groups, write_supported_groups},
    Descriptor{ExtensionId::signature_algorithms, ch | cr, parse_signature_algorithms,
               write_signature_algorithms},
    Descriptor{ExtensionId::signature_algorithms_cert, ch | cr, parse_signature_algorithms_cert,
               write_signature_algorithms_cert},
    Descriptor{ExtensionId::application_layer_protocol_negotiation, ch | ee, parse_protocols,
               write_protocols},
    Descriptor{ExtensionId::record_size_limit, ch | ee, parse_record_size_limit, write_record_size_limit},
    Descriptor{ExtensionId::supported_versions, ch | sh | hrr, parse_supported_versions,
               write_supported_versions},
    Descriptor{ExtensionId::cookie, ch | hrr, parse_cookie, write_cookie},
    Descriptor{ExtensionId::psk_key_exchange_modes, ch, parse_psk_modes, write_psk_modes},
    Descriptor{ExtensionId::key_share, ch | sh | hrr, parse_key_share, write_key_share},
    Descriptor{ExtensionId::early_data, ch | ee | nst, parse_early_data, write_early_data},
    Descriptor{ExtensionId::pre_shared_key, ch | sh, parse_pre_shared_key, write_pre_shared_key},
};

constexpr std::size_t numbered = 64;  // all our extensions have numbers below

// From an extension's number to its row, plus one; 0 for those that we do not parse.
constexpr std::array<std::uint8_t, numbered> row_numbers = [] {
  std::array<std::uint8_t, numbered> rows{};
  for (std::size_t i = 0; i < descriptors.size(); i++) {
    rows[static_cast<std::size_t>(descriptors[i].id)] = static_cast<std::uint8_t>(i + 1);
  }
  return rows;
}();

const Descriptor* descriptor_of(std::uint16_t id) noexcept {
  if (id >= numbered || row_numbers[id] == 0) return nullptr;
  return &descriptors[row_numbers[id] - 1U];
}

// Whether any number comes twice, for lists too long to be compared in pairs.
[[gnu::noinline]] bool repeats_an_id(base::Bytes list) noexcept {
  std::array<std::uint64_t, 65536 / 64> seen{};
  for (const RawExtension& extension : List<RawExtension>(list)) {
    const std::uint64_t bit = std::uint64_t{1} << (extension.id % 64);
    std::uint64_t& word = seen[extension.id / 64];
    if ((word & bit) != 0) return true;
    word |= bit;
  }
  return false;
}

// The numbers that we do not parse, to find one that comes twice. Real lists have about ten; one with more
// than fit here is looked through once as a whole.
class UnparsedIds {
 public:
  explicit UnparsedIds(base::Bytes list) noexcept : list_(list) {}

  /// False when `id`, or any once there are many, comes twice.
  [[nodiscard]] bool add(std::uint16_t id) noexcept {
    if (count_ > ids_.size()) return true;
    if (count_ == ids_.size()) {
      count_++;
      return !repeats_an_id(list_);
    }
    for (std::size_t i = 0; i < count_; i++) {
      if (ids_[i] == id) return false;
    }
    ids_[count_++] = id;
    return true;
  }

 private:
  base::Bytes list_;
  std::size_t count_ = 0;
  std::array<std::uint16_t, 32> ids_;
};

Reason parse_known(Extensions& extensions, const Descriptor& descriptor, base::Bytes body,
                   Place place) noexcept {
  if ((descriptor.places & static_cast<unsigned>(place)) == 0) return Reason::extension_not_allowed_here;
  if (extensions.has(descriptor.id)) return Reason::extension_duplicate;
  extensions.set(descriptor.id);
  Reader reader(body);
  const Reason reason = descriptor.parse(extensions, reader, place);
  if (reason != Reason::none) return reason;
  return reader.done() ? Reason::none : Reason::extension_malformed;
}

Reason parse_list(Extensions& extensions, base::Bytes list, Place place) noexcept {
  UnparsedIds unparsed(list);
  Reader reader(list);
  std::uint16_t last = 0;
  while (!reader.empty()) {
    const RawExtension extension = RawExtension::read(reader);
    if (!reader.ok()) return Reason::message_malformed;
    last = extension.id;
    if (const Descriptor* descriptor = descriptor_of(extension.id)) {
      const Reason reason = parse_known(extensions, *descriptor, extension.body, place);
      if (reason != Reason::none) return reason;
    } else if (!unparsed.add(extension.id)) {
      return Reason::extension_duplicate;
    }
  }
  const bool psk_offered = place == Place::client_hello && extensions.has(ExtensionId::pre_shared_key);
  const bool psk_last = last == static_cast<std::uint16_t>(ExtensionId::pre_shared_key);
  return psk_offered && !psk_last ? Reason::psk_not_last : Reason::none;
}

void write_known(Writer& writer, const Extensions& extensions, const Descriptor& descriptor,
                 Place place) noexcept {
  writer.u16(static_cast<std::uint16_t>(descriptor.id));
  const Writer::Scope body = writer.open16();
  descriptor.write(writer, extensions, place);
}

void write_in_order_of_block(Writer& writer, const Extensions& extensions, Place place) noexcept {
  for (const RawExtension& extension : List<RawExtension>(extensions.block)) {
    const Descriptor* descriptor = descriptor_of(extension.id);
    if (descriptor == nullptr) {
      extension.write(writer);
    } else if (extensions.has(descriptor->id)) {
      write_known(writer, extensions, *descriptor, place);
    }
  }
}

void write_in_order_of_table(Writer& writer, const Extensions& extensions, Place place) noexcept {
  for (const Descriptor& descriptor : descriptors) {
    if (descriptor.id == ExtensionId::pre_shared_key) writer.bytes(extensions.others);
    if (extensions.has(descriptor.id)) write_known(writer, extensions, descriptor, place);
  }
}

}  // namespace

base::Result<Extensions, Failure> Extensions::parse(base::Bytes list, ExtensionPlace place) noexcept {
  Extensions extensions;
  extensions.block = list;
  const Reason reason = parse_list(extensions, list, place);
  if (reason != Reason::none) return Failure(reason);
  return extensions;
}

void Extensions::write(Writer& writer, ExtensionPlace place) const noexcept {
  const Writer::Scope list = writer.open16();
  if (block.empty()) {
    write_in_order_of_table(writer, *this, place);
  } else {
    write_in_order_of_block(writer, *this, place);
  }
}

std::optional<base::Bytes> Extensions::find(std::uint16_t id) const noexcept {
  for (const RawExtension& extension : List<RawExtension>(block)) {
    if (extension.id == id) return extension.body;
  }
  return std::nullopt;
}

}  // namespace signet::tls
