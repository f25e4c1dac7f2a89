// A client of HTTP/1.1, over TCP, TLS or a Unix socket. One connection a
// request.
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

// Waiting ends with kTimeout. Looking up a name and connecting count, too.
struct HttpPatience {
  // Between two signs of life of the server. Absent: for ever, as for a log
  // that is followed.
  std::optional<std::chrono::milliseconds> silence = std::chrono::seconds(30);
  // For everything. Absent: for ever, while the server gives signs of life.
  std::optional<std::chrono::milliseconds> whole{};
};

// Whom to believe over TLS. The server's name is always checked.
struct HttpTrust {
  std::string ca_file;  // empty: those the system believes
};

// Gets a piece of the body as it comes in; false ends the exchange.
using HttpSink = std::function<bool(std::string_view piece)>;

// Safe to use from several threads at once.
class HttpClient {
 public:
  explicit HttpClient(Endpoint endpoint, HttpTrust trust = {})
      : endpoint_(std::move(endpoint)), trust_(std::move(trust)) {}

  const Endpoint& endpoint() const { return endpoint_; }

  // The whole response. Any status is a response; failures are those of the
  // way: kUnavailable when nobody listens, kPermissionDenied for a socket that
  // is not ours, kTimeout, kInterrupted after `stop`, kCorrupt for what is not
  // HTTP or larger than 64 MiB. Over TLS, kPermissionDenied also stands for a
  // server that does not prove who it is.
  Result<HttpResponse> Send(const HttpRequest& request,
                            const HttpPatience& patience = {},
                            std::stop_token stop = {}) const;

  // The same with the body of a successful response handed to `sink`; that of
  // any other stays in the response.
  Result<HttpResponse> Stream(const HttpRequest& request, const HttpSink& sink,
                              const HttpPatience& patience = {},
                              std::stop_token stop = {}) const;

  // Only connects and closes the connection again; fails as Send does. Does not
  // try TLS.
  Status Connect(const HttpPatience& patience = {},
                 std::stop_token stop = {}) const;

 private:
  Endpoint endpoint_;
  HttpTrust trust_;
};

}  // namespace mete
