#include <signet/tls/record.hpp>

namespace signet::tls {

RecordNonce::RecordNonce(const Protection& protection) noexcept {
  std::memcpy(bytes, protection.key.iv, sizeof bytes);
  const std::uint64_t last = base::load_be64(bytes + 4) ^ protection.sequence;
  base::store_be64(bytes + 4, last);
}

std::size_t seal_record(std::uint8_t* record, Protection& protection, const crypto::AeadKey& key,
                        ContentType type, base::Bytes plaintext) noexcept {
  const std::size_t inner = plaintext.size() + inner_type_bytes;
  std::uint8_t* body = record + record_header_bytes;
  RecordHeader::write(record, ContentType::application_data, inner + crypto::aead_tag_bytes);
  const RecordNonce nonce(protection);
  const auto inner_type = static_cast<std::uint8_t>(type);
  key.seal(body, body + inner, nonce.bytes, {record, record_header_bytes}, plaintext, {&inner_type, 1});
  protection.sequence++;
  return record_header_bytes + inner + crypto::aead_tag_bytes;
}

base::Result<OpenedRecord, Failure> open_record(std::uint8_t* target, Protection& protection,
                                                const crypto::AeadKey& key, const std::uint8_t* record,
                                                std::size_t max_inner) noexcept {
  // The plaintext may be opened over the header, so the additional data is a copy.
  std::uint8_t header[record_header_bytes];
  std::memcpy(header, record, sizeof header);
  const std::size_t length = RecordHeader::parse(header).length;
  if (length < crypto::aead_tag_bytes) return Failure(Reason::record_too_short);
  const std::size_t inner = length - crypto::aead_tag_bytes;
  const std::uint8_t* ciphertext = record + record_header_bytes;
  const RecordNonce nonce(protection);
  if (!key.open(target, nonce.bytes, header, {ciphertext, inner}, ciphertext + inner)) {
    return Failure(Reason::record_bad_mac);
  }
  protection.sequence++;
  if (inner > max_inner) {
    base::wipe({target, inner});
    return Failure(Reason::record_too_long);
  }
  std::size_t end = inner;
  while (end > 0 && target[end - 1] == 0) end--;
  if (end == 0) return Failure(Reason::record_no_inner_type);
  return OpenedRecord{static_cast<ContentType>(target[end - 1]), end - 1, inner};
}

}  // namespace signet::tls
