#include <algorithm>

#include <signet/tls/connection.hpp>
#include <signet/tls/server_handshake.hpp>

namespace signet::tls {
namespace {

Event waiting(Wait wait) noexcept { return {Event::Kind::wait, wait, {}}; }
Event saying(Event::Kind kind) noexcept { return {kind, Wait::input, {}}; }

// A request line begins with a method in capitals; no content type has such a number.
bool looks_like_http(std::uint8_t first) noexcept { return first >= 'A' && first <= 'Z'; }

// The length is judged before the record is there.
base::Result<void, Failure> check_header(const RecordHeader& header) noexcept {
  // RFC 8446 section 5.1: the version is ignored; but without TLS's major one it is another protocol.
  if ((header.version >> 8) != 3) return Failure(Reason::record_not_tls);
  switch (header.type) {
    case ContentType::change_cipher_spec:
    case ContentType::alert:
    case ContentType::handshake:
      if (header.length > max_plaintext_bytes) return Failure(Reason::record_too_long);
      return {};
    case ContentType::application_data:
      if (header.length > max_ciphertext_bytes) return Failure(Reason::record_too_long);
      return {};
    case ContentType::invalid:
      break;
  }
  return Failure(Reason::record_type_unknown);
}

}  // namespace

Connection::Connection(const ServerSettings& settings, KeyCache& keys) noexcept
    : settings_(&settings), keys_(&keys) {}

bool Connection::needs_area() const noexcept { return phase_ == Phase::handshake && area_ == nullptr; }

HandshakeArea* Connection::take_area() noexcept {
  HandshakeArea* area = area_;
  area_ = nullptr;
  return area;
}

Event Connection::next(base::RecvBuffer& in, base::SendBuffer& out) noexcept {
  for (;;) {
    if (phase_ == Phase::failed) return {Event::Kind::failed, Wait::input, failure_};
    if (peer_closed_) return saying(Event::Kind::peer_closed);
    if (needs_area()) return waiting(Wait::area);
    if (!send_owed_update(out)) return waiting(Wait::flush);
    const bool in_handshake = phase_ == Phase::handshake;
    if (in_handshake && area_->state == ServerState::wait_signature) return waiting(Wait::signature);
    Step step = in_handshake ? advance_handshake(in, out) : Step(Progress::none);
    if (in_handshake && phase_ == Phase::established) return saying(Event::Kind::handshake_done);
    if (step.ok() && *step == Progress::none) {
      step = take_record(in);
      if (step.ok() && *step == Progress::none) return waiting(Wait::input);
    }
    if (!step.ok()) return fail(out, step.error());
    if (*step == Progress::data) return saying(Event::Kind::data);
  }
}

void Connection::sign() noexcept { sign_flight(*area_); }

Connection::Step Connection::advance_handshake(base::RecvBuffer& in, base::SendBuffer& out) noexcept {
  if (area_->state != ServerState::send_finished) return serve_message(in, out);
  ServerHandshake handshake(core_, *area_, *settings_, *keys_, out);
  const HandshakeResult sent = handshake.finish_flight();
  if (!sent) return sent.error();
  out.set_record_room(core_.record_room());
  return Progress::served;
}

Connection::Step Connection::serve_message(base::RecvBuffer& in, base::SendBuffer& out) noexcept {
  const base::Bytes opened = in.plaintext();
  const auto header = HandshakeHeader::peek(opened);
  if (!header) return Progress::none;
  // Judged by its header alone: nobody waits for the rest of a message that is not served.
  if (!known(header->type)) return Failure(Reason::message_type_unknown);
  if (!ServerHandshake::serves(area_->state, header->type)) return Failure(Reason::message_unexpected);
  if (header->body_bytes > settings_->limits.handshake_message_bytes)
    return Failure(Reason::message_too_long);
  const std::size_t bytes = header->message_bytes();
  if (opened.size() < bytes) return Progress::none;
  ServerHandshake handshake(core_, *area_, *settings_, *keys_, out);
  const HandshakeResult served =
      handshake.on_message(header->type, opened.first(bytes), opened.size() == bytes);
  if (!served) return served.error();
  in.consume(bytes);
  if (area_->state == ServerState::done) phase_ = Phase::established;
  return Progress::served;
}

Connection::Step Connection::take_record(base::RecvBuffer& in) noexcept {
  const base::Bytes raw = in.raw();
  if (raw.empty()) return Progress::none;
  const bool first = phase_ == Phase::handshake && area_->state == ServerState::wait_client_hello;
  if (first && in.plaintext().empty() && looks_like_http(raw[0])) return Failure(Reason::plain_http_request);
  if (raw.size() < record_header_bytes) return Progress::none;
  const RecordHeader header = RecordHeader::parse(raw.data());
  if (const auto sound = check_header(header); !sound) return sound.error();
  if (raw.size() < record_header_bytes + header.length) return Progress::none;
  const bool is_protected = core_.read_protected && header.type == ContentType::application_data;
  return is_protected ? take_protected_record(in, header) : take_plain_record(in, header);
}

Connection::Step Connection::take_plain_record(base::RecvBuffer& in, const RecordHeader& header) noexcept {
  const std::size_t record = record_header_bytes + header.length;
  const base::Bytes content = in.raw().subspan(record_header_bytes, header.length);
  if (header.type == ContentType::handshake) {
    if (core_.read_protected) return Failure(Reason::record_type_unexpected);
    if (content.empty()) return Failure(Reason::record_empty_handshake);
    std::uint8_t* at = in.target(record_header_bytes, content.size());
    std::memmove(at, content.data(), content.size());
    in.opened(record, at, content.size(), content.size());
    return Progress::served;
  }
  const bool within_message = phase_ == Phase::handshake && !in.plaintext().empty();
  if (header.type == ContentType::application_data) {
    if (within_message) return Failure(Reason::message_interleaved);
    return skip_early_data(in, header);
  }
  Step step = Progress::served;
  if (header.type == ContentType::alert) {
    // A client that cannot read our flight has no keys to protect its alert with.
    const bool keys_in_use = core_.read_protected && core_.read.sequence != 0;
    if (keys_in_use || phase_ == Phase::established) return Failure(Reason::record_type_unexpected);
    step = on_alert(content);
  } else {
    step = within_message ? Step(Failure(Reason::message_interleaved)) : on_change_cipher_spec(content);
  }
  in.skip(record);
  return step;
}

Connection::Step Connection::take_protected_record(base::RecvBuffer& in,
                                                   const RecordHeader& header) noexcept {
  const std::size_t record = record_header_bytes + header.length;
  const std::size_t inner = header.length - std::min<std::size_t>(header.length, crypto::aead_tag_bytes);
  std::uint8_t* at = in.target(record_header_bytes, inner);
  const auto opened = open_record(at, core_.read, core_.read_key(*keys_), in.raw().data(),
                                  max_plaintext_bytes + inner_type_bytes);
  const bool skips = phase_ == Phase::handshake && area_->early_data == EarlyData::until_opened;
  if (!opened) {
    return skips && opened.error().reason == Reason::record_bad_mac ? skip_early_data(in, header)
                                                                    : Step(opened.error());
  }
  if (skips) area_->early_data = EarlyData::none;
  const bool in_handshake = phase_ == Phase::handshake;
  const bool kept = opened->type == (in_handshake ? ContentType::handshake : ContentType::application_data);
  in.opened(record, at, kept ? opened->plain : 0, opened->written);
  const base::Bytes content(at, opened->plain);
  switch (opened->type) {
    case ContentType::handshake:
      if (content.empty()) return Failure(Reason::record_empty_handshake);
      return in_handshake ? Step(Progress::served) : on_late_handshake(content);
    case ContentType::application_data:
      return in_handshake ? Step(Failure(Reason::record_type_unexpected))
                          : on_application_data(content.size());
    case ContentType::alert:
      return on_alert(content);
    default:
      return Failure(Reason::record_type_unexpected);
  }
}

// RFC 8446 section 4.2.10.
Connection::Step Connection::skip_early_data(base::RecvBuffer& in, const RecordHeader& header) noexcept {
  const bool declined = phase_ == Phase::handshake && area_->early_data != EarlyData::none;
  if (!declined) return Failure(Reason::record_type_unexpected);
  // What cannot be a protected record would cost nothing of the bound below.
  if (header.length < crypto::aead_tag_bytes) return Failure(Reason::record_too_short);
  area_->early_data_bytes += header.length;
  if (area_->early_data_bytes > settings_->limits.skipped_early_data_bytes) {
    return Failure(Reason::too_much_early_data);
  }
  in.skip(record_header_bytes + header.length);
  return Progress::served;
}

Connection::Step Connection::on_application_data(std::size_t bytes) noexcept {
  if (late_bytes_ != 0) return Failure(Reason::message_interleaved);
  if (bytes == 0) {
    if (++empty_records_ > settings_->limits.empty_records) return Failure(Reason::too_many_empty_records);
    return Progress::served;
  }
  empty_records_ = warning_alerts_ = key_updates_ = 0;
  return Progress::data;
}

// RFC 8446 section 5: between the first ClientHello and the Finished, and then passed over.
Connection::Step Connection::on_change_cipher_spec(base::Bytes content) noexcept {
  if (phase_ != Phase::handshake || area_->state == ServerState::wait_client_hello) {
    return Failure(Reason::change_cipher_spec_unexpected);
  }
  if (content.size() != 1 || content[0] != 1) return Failure(Reason::change_cipher_spec_malformed);
  if (++area_->change_cipher_specs > settings_->limits.change_cipher_specs) {
    return Failure(Reason::too_many_change_cipher_specs);
  }
  return Progress::served;
}

// RFC 8446 section 6: the level is ignored, and but for two alerts all are fatal.
Connection::Step Connection::on_alert(base::Bytes content) noexcept {
  if (content.empty()) return Failure(Reason::record_empty_alert);
  if (content.size() != 2) return Failure(Reason::alert_malformed);
  const auto alert = static_cast<Alert>(content[1]);
  if (alert == Alert::close_notify) {
    peer_closed_ = true;
    return Progress::served;
  }
  if (alert == Alert::user_canceled) {
    if (++warning_alerts_ > settings_->limits.warning_alerts) return Failure(Reason::too_many_warning_alerts);
    return Progress::served;
  }
  Failure failure(Reason::peer_alert);
  failure.peer = alert;
  return failure;
}

// The one message that a client may send after the handshake is KeyUpdate; it may come in pieces.
Connection::Step Connection::on_late_handshake(base::Bytes content) noexcept {
  for (std::size_t i = 0; i < content.size(); i++) {
    late_[late_bytes_++] = content[i];
    const auto type = static_cast<HandshakeType>(late_[0]);
    if (!known(type)) return Failure(Reason::message_type_unknown);
    if (type != HandshakeType::key_update) return Failure(Reason::message_unexpected);
    const auto header = HandshakeHeader::peek({late_, late_bytes_});
    if (header && header->message_bytes() != sizeof late_) return Failure(Reason::message_malformed);
    if (late_bytes_ < sizeof late_) continue;
    if (i + 1 != content.size()) return Failure(Reason::message_spans_key_change);
    return on_key_update();
  }
  return Progress::served;
}

// RFC 8446 section 4.6.3.
Connection::Step Connection::on_key_update() noexcept {
  const auto update = KeyUpdate::parse(base::Bytes(late_).subspan(handshake_header_bytes));
  late_bytes_ = 0;
  if (!update) return update.error();
  if (++key_updates_ > settings_->limits.key_updates) return Failure(Reason::too_many_key_updates);
  core_.update_read_secret(*keys_);
  update_owed_ = update_owed_ || update->update_requested;
  return Progress::served;
}

bool Connection::send_owed_update(base::SendBuffer& out) noexcept {
  if (!update_owed_ || close_sent_) return true;
  core_.seal_cell(out, *keys_, ContentType::application_data);
  if (out.window().size() < KeyUpdate::message_bytes) return false;
  std::uint8_t message[KeyUpdate::message_bytes];
  Writer writer(message);
  KeyUpdate{}.write(writer);
  update_owed_ = !core_.write_bytes(out, *keys_, ContentType::handshake, writer.written());
  core_.seal_cell(out, *keys_, ContentType::handshake);
  core_.update_write_secret(*keys_);
  return true;
}

void Connection::seal(base::SendBuffer& out) noexcept {
  core_.seal_cell(out, *keys_, ContentType::application_data);
  if (core_.write.sequence >= settings_->limits.records_per_key) update_owed_ = true;
  (void)send_owed_update(out);  // without room now, next() does it before it goes on
}

std::size_t Connection::seal_from(base::SendBuffer& out, base::Bytes data) noexcept {
  // RFC 8446 section 4.6.3: a KeyUpdate that was asked for goes before the next data.
  if (!send_owed_update(out)) return 0;
  const std::size_t bytes = std::min<std::size_t>(data.size(), core_.max_plaintext);
  const base::MutBytes window = out.window();
  if (bytes == 0 || window.size() < bytes) return 0;
  out.sealed(seal_record(window.data() - record_header_bytes, core_.write, core_.write_key(*keys_),
                         ContentType::application_data, data.first(bytes)));
  seal(out);
  return bytes;
}

void Connection::close(base::SendBuffer& out) noexcept {
  if (close_sent_ || phase_ == Phase::failed) return;
  close_sent_ = send_alert(out, Alert::close_notify);
}

bool Connection::send_alert(base::SendBuffer& out, Alert alert) noexcept {
  core_.seal_cell(out, *keys_, open_cell_type());
  // RFC 8446 section 6: the level says nothing, and is what older peers expect.
  const std::uint8_t level = alert == Alert::close_notify ? 1 : 2;
  const std::uint8_t content[2] = {level, static_cast<std::uint8_t>(alert)};
  if (out.window().size() < sizeof content) return false;
  (void)core_.write_bytes(out, *keys_, ContentType::alert, content);
  core_.seal_cell(out, *keys_, ContentType::alert);
  return true;
}

Event Connection::fail(base::SendBuffer& out, Failure failure) noexcept {
  failure_ = failure;
  // RFC 8446 section 6.1: nothing follows our close_notify.
  const bool says_nothing =
      close_sent_ || failure.reason == Reason::peer_alert || failure.reason == Reason::plain_http_request;
  if (!says_nothing) (void)send_alert(out, failure.alert);  // a full buffer has older things to say
  phase_ = Phase::failed;
  return {Event::Kind::failed, Wait::input, failure};
}

std::size_t Connection::missing(base::RecvBuffer& in) noexcept {
  const base::Bytes raw = in.raw();
  if (raw.empty()) return 0;
  if (raw.size() < record_header_bytes) return record_header_bytes - raw.size();
  const std::size_t record = record_header_bytes + RecordHeader::parse(raw.data()).length;
  return raw.size() < record ? record - raw.size() : 0;
}

bool Connection::export_keying_material(base::MutBytes out, std::string_view label,
                                        base::Bytes context) const noexcept {
  if (phase_ != Phase::established) return false;
  const crypto::HashId hash = hash_of(core_.suite);
  const Secret master({core_.exporter_master, crypto::digest_bytes(hash)});
  return tls::export_keying_material(out, hash, master, label, context);
}

void Connection::wipe() noexcept { core_.wipe(*keys_); }

}  // namespace signet::tls
