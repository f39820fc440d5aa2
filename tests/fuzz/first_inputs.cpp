// Writes the inputs that fuzzing begins with, made by the tests' own client, samples and certificates.
//
//   fuzz_first_inputs DIRECTORY      writes DIRECTORY/<target>/<number>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <signet/crypto/pem.hpp>
#include <signet/tests/fuzz/input.hpp>
#include <signet/tests/support/message_samples.hpp>
#include <signet/tests/support/test_identity.hpp>
#include <signet/tests/support/tls_client.hpp>
#include <signet/tls/messages/certificate.hpp>

using namespace signet;
using fuzz::Octets;

namespace {

// One target's folder.
class Folder {
 public:
  Folder(const char* root, const char* target) : path_(std::filesystem::path(root) / target) {
    std::filesystem::create_directories(path_);
  }
  void add(unsigned control, base::Bytes content) {
    std::ofstream file(path_ / std::to_string(count_++), std::ios::binary);
    file.put(static_cast<char>(control));
    file.write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  }
  void add(unsigned control, std::string_view content) { add(control, base::as_bytes(content)); }

 private:
  std::filesystem::path path_;
  unsigned count_ = 0;
};

Octets operator+(Octets a, base::Bytes b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<test::ClientOptions> clients() {
  std::vector<test::ClientOptions> all(9);
  all[1].shares = {tls::NamedGroup::secp256r1};
  all[2].shares = {};
  all[3].suites = {tls::CipherSuite::aes_256_gcm_sha384};
  all[4].suites = {tls::CipherSuite::chacha20_poly1305_sha256};
  all[4].protocols = {"h3", "http/1.1"};
  all[5].early_data = true;
  all[6].early_data = true;
  all[6].shares = {};
  all[7].record_size_limit = 64;
  all[7].session_id_bytes = 0;
  all[8].versions = {tls::ProtocolVersion::tls12};
  return all;
}

void write_tls_engine(const char* root) {
  Folder folder(root, "tls_engine");
  const Octets change_cipher_spec{20, 3, 3, 0, 1, 1};
  const Octets close_notify{21, 3, 3, 0, 2, 1, 0};
  const Octets protected_record{23, 3,  3,  0,  20, 1,  2,  3,  4,  5,  6,  7, 8,
                                9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  unsigned control = 0;
  for (const test::ClientOptions& options : clients()) {
    test::TlsClient client(options);
    const Octets hello = client.take_output();
    folder.add(control++ % 32, hello);
    folder.add(control++ % 32, hello + change_cipher_spec + protected_record + protected_record);
    folder.add(control++ % 32, hello + close_notify);
    // The second hello is the first again, with another share: good enough to be looked at.
    folder.add(control++ % 32, hello + change_cipher_spec + hello);
    // In two records.
    const base::Bytes message = client.client_hello();
    test::TlsClient cut(options);
    (void)cut.take_output();
    cut.send_plain(tls::ContentType::handshake, message.first(40));
    cut.send_plain(tls::ContentType::handshake, message.subspan(40));
    folder.add(control++ % 32, cut.take_output());
  }
  folder.add(0, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  folder.add(0, Octets{21, 3, 3, 0, 2, 2, 40});
  folder.add(0, Octets{21, 3, 3, 0, 2, 1, 90});
}

void write_tls_established(const char* root) {
  Folder folder(root, "tls_established");
  for (unsigned control = 0; control < 256; control += 13) {
    folder.add(control, Octets{0, 5, 'h', 'e', 'l', 'l', 'o', 5, 1, 0, 0, 3, 'y', 'o', 'u', 6});
    folder.add(control, Octets{4, 0, 1, 'a', 132, 0, 1, 'b', 5, 0, 9, 4, 4, 5, 200, 0, 7});
    folder.add(control, Octets{1, 23, 7, 2, 'p', 'q', 1, 23, 0, 0, 1, 21, 0, 2, 1, 90, 1, 21, 0, 2, 1, 0});
    folder.add(control, Octets{2, 23, 64, 0, 'x', 2, 23, 64, 1, 'y', 2, 23, 66, 0, 'z'});
    folder.add(control, Octets{1, 22, 0, 2, 24, 0, 1, 22, 0, 3, 0, 1, 1, 0, 1, 'a'});
    folder.add(control, Octets{1, 22, 0, 4, 20, 0, 0, 0, 3, 6, 20, 3, 3, 0, 1, 1});
    folder.add(control, Octets{3, 8, 23, 3, 3, 0, 20, 1, 2, 3, 0, 1, 'a'});
  }
}

void write_tls_handshake_messages(const char* root) {
  Folder folder(root, "tls_handshake_messages");
  for (unsigned control = 0; control < 256; control += 9) {
    folder.add(control, Octets{});
    folder.add(control, Octets{3, 1, 3, 3, 3, 255});
    folder.add(control, Octets{0, 0, 40, 2, 1, 2, 1, 0, 9, 1, 7});
    folder.add(control, Octets{2, 0, 8, 1, 3, 9, 6});
    folder.add(control, Octets{5, 20, 1, 1, 4, 21, 2, 1, 90, 4, 22, 1, 20, 4, 23, 1, 'a'});
    folder.add(control,
               Octets{5, 23, 19, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 6, 3, 9});
  }
}

// The order of control octets is that of tls_messages.cpp.
unsigned parser_of(unsigned type) {
  constexpr tls::HandshakeType types[] = {tls::HandshakeType::client_hello,
                                          tls::HandshakeType::server_hello,
                                          tls::HandshakeType::new_session_ticket,
                                          tls::HandshakeType::end_of_early_data,
                                          tls::HandshakeType::encrypted_extensions,
                                          tls::HandshakeType::certificate,
                                          tls::HandshakeType::certificate_request,
                                          tls::HandshakeType::certificate_verify,
                                          tls::HandshakeType::finished,
                                          tls::HandshakeType::finished,
                                          tls::HandshakeType::key_update};
  return static_cast<unsigned>(std::find(types, std::end(types), static_cast<tls::HandshakeType>(type)) -
                               types);
}

void write_tls_messages(const char* root) {
  Folder folder(root, "tls_messages");
  for (const test::MessageSample& sample : test::message_samples()) {
    folder.add(parser_of(sample.type()), sample.body());
  }
  for (const test::ClientOptions& options : clients()) {
    const test::TlsClient client(options);
    folder.add(0, base::Bytes(client.client_hello()).subspan(tls::handshake_header_bytes));
  }
  folder.add(9, Octets(48, 'f'));
  for (unsigned place = 0; place < 7; place++) {
    folder.add(11 + place, Octets{0, 0, 0, 0, 0, 16, 0, 5, 0, 3, 2, 'h', '2', 0, 28, 0, 2, 64, 0});
    folder.add(11 + place, Octets{0, 43, 0, 2, 3, 4, 0, 51, 0, 2, 0, 29, 0, 44, 0, 3, 0, 1, 'c'});
    folder.add(11 + place, Octets{0, 13, 0, 4, 0, 2, 4, 3, 0, 42, 0, 4, 0, 0, 1, 0});
    folder.add(11 + place,
               Octets{0, 10, 0, 4, 0, 2, 0, 23, 10, 10, 0, 0, 0, 45, 0, 2, 1, 1, 0, 50, 0, 4, 0, 2, 4, 3});
  }
}

void write_http_head(const char* root) {
  Folder folder(root, "http_head");
  constexpr std::string_view heads[] = {
      "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "\r\n\r\nGET /a/b?x=1 HTTP/1.0\r\nConnection: keep-alive\r\nX:\t\r\n\r\n",
      "POST /echo HTTP/1.1\r\nHost: a:8443\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: [::1]\r\nAccept: */*\t\r\n\r\n",
      "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nConnection: close, te\r\n\r\n",
      "GET http://a/b HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
      "PUT /%41%2f HTTP/1.1\r\nhost: a\r\nUpgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 0\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551615\r\n\r\n",
      "GET / HTTP/2.0\r\nHost: a\r\n folded\r\n\r\n",
      "BREW /pot HTTP/1.1\nHost: a\n\n",
  };
  unsigned control = 0;
  for (const std::string_view head : heads) {
    folder.add(control++ % 8, head);
    folder.add(control++ % 8 + 8, head);
  }
}

void write_http_body(const char* root) {
  Folder folder(root, "http_body");
  constexpr std::string_view bodies[] = {
      "0\r\n\r\n",
      "5\r\nhello\r\n1;a\r\n,\r\n00A ; b = \"c;\\\"\\d\" ;e=f\r\n chunk\r\nme\r\n0;last\r\nX: y\r\nZ:\r\n\r\nGET",
      "0\r\nContent-Length: 5\r\nX-Sum:\t7 \t\r\nhost:\r\n\r\n",
      "7fffffffffffffff\r\nx",
      "0000000000000001 \t;a=b;c\r\na\r\n0\r\n folded\r\n\r\n",
      "1\na\n0\n\n",
      "2;\r\nab\r\n0\r\nX\r\n\r\n",
      "fffff\r\n",
  };
  unsigned control = 0;
  for (const std::string_view body : bodies) {
    folder.add(control++ % 2, Octets{2, 0, 4} + base::as_bytes(body));
    folder.add(control++ % 2, Octets{1, 0} + base::as_bytes(body));
  }
}

// An octet for each action of http_session.cpp.
void write_http_session(const char* root) {
  Folder folder(root, "http_session");
  constexpr unsigned requests = 43;
  for (unsigned n = 0; n < requests; n++) {
    const auto which = static_cast<std::uint8_t>(n);
    folder.add(n % 32, Octets{2, which, 2, 0, 2, which, 12, 11, 9, 12, 14, 6});
    folder.add(n % 32 ^ 1,
               Octets{66, which, 2, which, 4, which, 6, 130, which, 5, 200, 0, 'x', 12, 12, 11, 10});
    folder.add(n % 32, Octets{2, which, 5, 180, 0, 'x', 130, which, 2, 28, 9, 130, 12, 11, 8, 7, 8, 2, 0});
  }
}

void write_pem_der(const char* root) {
  namespace ids = test_identity;
  Folder folder(root, "pem_der");
  for (const std::string_view pem :
       {ids::leaf_certificate, ids::root_certificate, ids::p384_certificate, ids::leaf_key_sec1,
        ids::leaf_key_sec1_with_parameters, ids::leaf_key_pkcs8, ids::leaf_key_compressed,
        ids::leaf_key_without_public, ids::leaf_key_explicit, ids::leaf_key_legacy_encrypted,
        ids::leaf_key_encrypted, ids::other_key, ids::rsa_key_pkcs1, ids::rsa_key_pkcs8, ids::ed25519_key}) {
    folder.add(0, pem);
    folder.add(1, pem);
    const auto blocks = crypto::parse_pem(base::as_bytes(pem));
    if (!blocks) continue;
    const Octets& der = blocks->back().contents;
    folder.add(blocks->back().label == "CERTIFICATE" ? 3 : 2, der);
    if (blocks->back().label != "CERTIFICATE") continue;
    folder.add(5, pem);
    folder.add(5, der);
    Octets message(der.size() + 100);
    tls::Writer writer(message);
    const base::Bytes chain[] = {der};
    tls::write_certificate_message(writer, {}, chain);
    folder.add(4, writer.written().subspan(tls::handshake_header_bytes));
  }
  folder.add(6, Octets{0x30, 6, 2, 1, 1, 2, 1, 2});
  folder.add(6, Octets{0x30, 8, 2, 2, 0, 0x80, 2, 2, 1, 0});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_first_inputs DIRECTORY\n");
    return 2;
  }
  write_tls_engine(argv[1]);
  write_tls_established(argv[1]);
  write_tls_handshake_messages(argv[1]);
  write_tls_messages(argv[1]);
  write_http_head(argv[1]);
  write_http_body(argv[1]);
  write_http_session(argv[1]);
  write_pem_der(argv[1]);
  return 0;
}
