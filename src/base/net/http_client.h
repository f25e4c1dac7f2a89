// HTTP/1.1 client over TCP, TLS or a Unix socket. One connection per request.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "net/endpoint.h"
#include "net/http.h"
#include "support/result.h"

namespace mete {

// Time limits; exceeding one fails with kTimeout. They include name lookup and
// connecting.
struct HttpPatience {
  // Between two pieces of data from the server. Absent: no limit, for example
  // to follow a log.
  std::optional<std::chrono::milliseconds> silence = std::chrono::seconds(30);
  // For the whole exchange. Absent: no limit as long as data arrives.
  std::optional<std::chrono::milliseconds> whole{};
};

// Whom to trust in TLS, and how to identify ourselves. Certificates and keys
// are in PEM format. The server's name is always verified, unless verification
// is skipped altogether.
struct HttpTrust {
  std::string ca_file;   // empty: the system's trust store
  std::string ca_pem{};  // CA certificates as text, instead of the file
  std::string certificate_pem{};  // our own with its chain; empty: none
  std::string key_pem{};          // of our certificate
  // Name in the server's certificate; empty: the host of the endpoint.
  std::string server_name{};
  bool skip_verification = false;  // accept any server
};

// Receives pieces of the body as they arrive; returning false ends the
// exchange.
using HttpSink = std::function<bool(std::string_view piece)>;

// Sends requests to one server. Thread-safe.
class HttpClient {
 public:
  explicit HttpClient(Endpoint endpoint, HttpTrust trust = {})
      : endpoint_(std::move(endpoint)), trust_(std::move(trust)) {}

  const Endpoint& endpoint() const { return endpoint_; }

  // Returns the whole response, whatever its status. Errors are those of the
  // connection: kUnavailable when nothing listens, kPermissionDenied for a
  // socket this user may not access or a TLS server that cannot be verified,
  // kTimeout, kInterrupted after `stop`, kCorrupt for a response that is not
  // HTTP or larger than 64 MiB.
  Result<HttpResponse> Send(const HttpRequest& request,
                            const HttpPatience& patience = {},
                            std::stop_token stop = {}) const;

  // Passes the body of a successful response to `sink`; the body of any other
  // response stays in the result.
  Result<HttpResponse> Stream(const HttpRequest& request, const HttpSink& sink,
                              const HttpPatience& patience = {},
                              std::stop_token stop = {}) const;

  // Only connects and closes the connection again. Fails like Send. Does not
  // try TLS.
  Status Connect(const HttpPatience& patience = {},
                 std::stop_token stop = {}) const;

 private:
  Endpoint endpoint_;
  HttpTrust trust_;
};

}  // namespace mete
