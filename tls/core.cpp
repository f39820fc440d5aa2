#include <algorithm>

#include <signet/tls/core.hpp>

namespace signet::tls {

base::RecordRoom Core::record_room() const noexcept {
  if (!write_protected) return plain_record_room;
  return {tls13_record_room.headroom, tls13_record_room.tailroom, max_plaintext};
}

void Core::seal_cell(base::SendBuffer& out, KeyCache& keys, ContentType type) noexcept {
  const base::MutBytes plaintext = out.cell();
  if (plaintext.empty()) return;
  std::uint8_t* record = plaintext.data() - record_header_bytes;
  if (write_protected) {
    out.sealed(seal_record(record, write, write_key(keys), type, plaintext));
  } else {
    RecordHeader::write(record, type, plaintext.size());
    out.sealed(record_header_bytes + plaintext.size());
  }
}

bool Core::write_bytes(base::SendBuffer& out, KeyCache& keys, ContentType type, base::Bytes bytes) noexcept {
  while (!bytes.empty()) {
    if (out.window().empty()) seal_cell(out, keys, type);
    const base::MutBytes window = out.window();
    if (window.empty()) return false;
    const std::size_t n = std::min(window.size(), bytes.size());
    std::memcpy(window.data(), bytes.data(), n);
    out.wrote(n);
    bytes = bytes.subspan(n);
  }
  return true;
}

void Core::set_secret(Protection& direction, bool& is_protected, KeyCache& keys, const Secret& secret,
                      const LabelKey& prepared) noexcept {
  keys.forget(direction.key);
  base::wipe_object(direction);
  std::memcpy(direction.secret, secret.bytes().data(), secret.bytes().size());
  derive_traffic_key(direction.key, suite, prepared);
  keys.assign(direction.key);
  is_protected = true;
}

void Core::update_secret(Protection& direction, bool& is_protected, KeyCache& keys) noexcept {
  const crypto::HashId hash = hash_of(suite);
  const Secret current({direction.secret, crypto::digest_bytes(hash)});
  const Secret next = next_traffic_secret(hash, current);
  set_secret(direction, is_protected, keys, next, LabelKey(hash, next.bytes()));
}

void Core::wipe(KeyCache& keys) noexcept {
  keys.forget(read.key);
  keys.forget(write.key);
  base::wipe_object(read);
  base::wipe_object(write);
  base::wipe(exporter_master);
  read_protected = write_protected = false;
}

}  // namespace signet::tls
