// TLS settings of a server: its certificate, and what it requires of clients.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

// TLS protocol versions.
enum class TlsVersion { kTls10, kTls11, kTls12, kTls13 };

// What is required of client certificates. Only the last keeps strangers out.
enum class TlsClientAuth {
  kNone,
  kRequest,           // requested; any or none is accepted
  kRequireAny,        // required, but not verified
  kVerifyIfGiven,     // optional, but verified if given
  kRequireAndVerify,  // required and verified
};

// Configuration of TLS for a server.
struct HttpServerTls {
  std::string cert_file;  // PEM: the server's own first, then intermediates
  std::string key_file;   // PEM, without a password
  std::string client_ca_file{};  // PEM; CAs of client certificates
  TlsClientAuth client_auth = TlsClientAuth::kNone;
  TlsVersion min_version = TlsVersion::kTls12;
  TlsVersion max_version = TlsVersion::kTls13;
  // For TLS up to 1.2, by their IANA names, best first; empty: OpenSSL's
  // default.
  std::vector<std::string> cipher_suites{};
  bool prefer_server_ciphers = true;
  // OpenSSL names ("P-256", "X25519"), best first; empty: its default.
  std::vector<std::string> curves{};
  // Called when changed files cannot be used; the server continues with the
  // previous ones. Called from the I/O thread.
  std::function<void(const std::string&)> warn{};
};

// Checks that a server could start with these settings: the files exist, are
// readable and match. Reports the first problem in one line.
Status CheckTls(const HttpServerTls& tls);

}  // namespace mete
