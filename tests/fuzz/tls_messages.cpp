// Every parser of tls/messages and tls/extensions. What parses is written, parsed and written again to the
// same octets, and every list in it is walked.
//
// Control: which parser; message types first, then the places of extensions.
#include <signet/tests/fuzz/input.hpp>
#include <signet/tests/fuzz/require.hpp>
#include <signet/tests/support/tls_pair.hpp>
#include <signet/tls/messages/certificate.hpp>
#include <signet/tls/messages/certificate_request.hpp>
#include <signet/tls/messages/certificate_verify.hpp>
#include <signet/tls/messages/client_hello.hpp>
#include <signet/tls/messages/encrypted_extensions.hpp>
#include <signet/tls/messages/end_of_early_data.hpp>
#include <signet/tls/messages/finished.hpp>
#include <signet/tls/messages/key_update.hpp>
#include <signet/tls/messages/new_session_ticket.hpp>
#include <signet/tls/messages/server_hello.hpp>

using namespace signet;
using namespace signet::fuzz;
using namespace signet::tls;

namespace {

constexpr unsigned message_types = 11;

template <class Write>
Octets written(Write&& write, std::size_t room) {
  Octets octets(room);
  Writer writer(octets);
  write(writer);
  require(writer.ok(), "what was parsed is not longer when written");
  octets.resize(writer.size());
  return octets;
}

template <class Item>
std::size_t walk(const List<Item>& list) {
  require(list.well_formed(), "a parsed list has whole items");
  return list.count();
}

void walk(const Extensions& e) {
  (void)walk(e.supported_groups);
  (void)walk(e.signature_algorithms);
  (void)walk(e.signature_algorithms_cert);
  (void)walk(e.supported_versions);
  (void)walk(e.key_shares);
  (void)walk(e.protocols);
  require(walk(e.psk_identities) == walk(e.psk_binders), "a binder for each identity");
  require(!e.has(ExtensionId::record_size_limit) || e.record_size_limit >= 64,
          "record_size_limit is at least 64");
  Reader reader(e.block);
  while (!reader.empty()) {
    const RawExtension extension = RawExtension::read(reader);
    const auto found = e.find(extension.id);
    require(found && found->data() == extension.body.data(), "an extension that is there is found");
  }
  require(reader.ok(), "a parsed block has whole extensions");
}

void look_at(const CertificateMessage& message) {
  for (const CertificateEntry& entry : message.entries) (void)walk(entry.extensions);
  (void)walk(message.entries);
}
void look_at(const ServerHello& hello) {
  walk(hello.extensions);
  require(!hello.is_retry() || hello.downgrade() == Downgrade::none, "a HelloRetryRequest's random is fixed");
}
void look_at(const CertificateRequest& request) { walk(request.extensions); }
void look_at(const EncryptedExtensions& message) { walk(message.extensions); }
void look_at(const NewSessionTicket& ticket) { walk(ticket.extensions); }
void look_at(const CertificateVerify&) {}
void look_at(const EndOfEarlyData&) {}
void look_at(const Finished&) {}
void look_at(const KeyUpdate&) {}
void look_at(const ClientHello& hello) {
  walk(hello.extensions);
  static const ServerSettings settings = [] {
    ServerSettings made;
    made.identity = test::test_identity();
    return made;
  }();
  const auto choice = negotiate(settings, hello);
  require(choice || choice.error().reason != Reason::none, "a refusal has a reason");
  const Octets message = written([&](Writer& writer) { hello.write(writer); }, 1 << 17);
  const auto again = ClientHello::parse(base::Bytes(message).subspan(handshake_header_bytes));
  require(again.ok() && fingerprint(*again) == fingerprint(hello), "the same hello has the same fingerprint");
  if (!hello.extensions.has(ExtensionId::pre_shared_key)) return;
  require(without_binders(message, *again).size() < message.size(), "binders are cut off");
}

template <class Parse>
void check_message(base::Bytes body, Parse&& parse) {
  const auto message = parse(body);
  if (!message) return require(message.error().reason != Reason::none, "a refusal has a reason");
  look_at(*message);
  const Octets once =
      written([&](Writer& writer) { message->write(writer); }, body.size() + handshake_header_bytes);
  const auto again = parse(base::Bytes(once).subspan(handshake_header_bytes));
  require(again.ok(), "what was written parses");
  const Octets twice = written([&](Writer& writer) { again->write(writer); }, once.size());
  require(once == twice, "writing is stable");
}

void check_extensions(base::Bytes list, ExtensionPlace place) {
  const auto extensions = Extensions::parse(list, place);
  if (!extensions) return require(extensions.error().reason != Reason::none, "a refusal has a reason");
  walk(*extensions);
  const Octets once = written([&](Writer& writer) { extensions->write(writer, place); }, list.size() + 2);
  const auto again = Extensions::parse(base::Bytes(once).subspan(2), place);
  require(again.ok(), "what was written parses");
  const Octets twice = written([&](Writer& writer) { again->write(writer, place); }, once.size());
  require(once == twice, "writing is stable");
}

template <class Message>
void check(base::Bytes body) {
  check_message(body, [](base::Bytes octets) { return Message::parse(octets); });
}

void check(unsigned type, base::Bytes body) {
  const auto finished = [body](crypto::HashId hash) {
    check_message(body, [hash](base::Bytes octets) { return Finished::parse(octets, hash); });
  };
  switch (type) {
    case 0:
      return check<ClientHello>(body);
    case 1:
      return check<ServerHello>(body);
    case 2:
      return check<NewSessionTicket>(body);
    case 3:
      return check<EndOfEarlyData>(body);
    case 4:
      return check<EncryptedExtensions>(body);
    case 5:
      return check<CertificateMessage>(body);
    case 6:
      return check<CertificateRequest>(body);
    case 7:
      return check<CertificateVerify>(body);
    case 8:
      return finished(crypto::HashId::sha256);
    case 9:
      return finished(crypto::HashId::sha384);
    default:
      return check<KeyUpdate>(body);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr ExtensionPlace places[] = {
      ExtensionPlace::client_hello,         ExtensionPlace::server_hello, ExtensionPlace::hello_retry_request,
      ExtensionPlace::encrypted_extensions, ExtensionPlace::certificate,  ExtensionPlace::certificate_request,
      ExtensionPlace::new_session_ticket};
  const Input input({data, size});
  const unsigned parser = input.control() % (message_types + static_cast<unsigned>(std::size(places)));
  // Lengths on the wire end at 24 bits for messages and 16 for lists.
  if (input.rest().size() > 0xffff) return 0;
  if (parser < message_types) {
    check(parser, input.rest());
  } else {
    check_extensions(input.rest(), places[parser - message_types]);
  }
  return 0;
}
