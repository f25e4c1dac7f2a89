// How a server proves who it is over TLS, and whom it wants proof from.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/result.h"

namespace mete {

enum class TlsVersion { kTls10, kTls11, kTls12, kTls13 };

// What is asked of callers. Only the last keeps strangers out.
enum class TlsClientAuth {
  kNone,
  kRequest,           // asked for, and whatever comes is fine
  kRequireAny,        // must be there, and is not checked
  kVerifyIfGiven,     // need not be there, and is checked
  kRequireAndVerify,  // must be there, and is checked
};

struct HttpServerTls {
  std::string cert_file;  // PEM: the server's own first, then those between
  std::string key_file;   // PEM, without a password
  std::string client_ca_file{};  // PEM; who vouches for callers
  TlsClientAuth client_auth = TlsClientAuth::kNone;
  TlsVersion min_version = TlsVersion::kTls12;
  TlsVersion max_version = TlsVersion::kTls13;
  // Up to TLS 1.2, by their names in the registry of IANA, best first; empty:
  // OpenSSL's own choice.
  std::vector<std::string> cipher_suites{};
  bool prefer_server_ciphers = true;
  // As OpenSSL calls them ("P-256", "X25519"), best first; empty: its choice.
  std::vector<std::string> curves{};
  // Told when files that have changed cannot be used; the server goes on with
  // what it had. Called from the thread that reads.
  std::function<void(const std::string&)> warn{};
};

// Whether a server could start with it: the files are there, readable and fit
// together. One line about the first thing that is wrong.
Status CheckTls(const HttpServerTls& tls);

}  // namespace mete
