// HTTP/1.1 server over TCP, TLS or a Unix socket.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/endpoint.h"
#include "net/http.h"
#include "net/http_server_tls.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// The answer of a handler: a whole response, or a head whose body follows in
// pieces.
struct HttpReply {
  HttpResponse response;
  // Called repeatedly until it returns no value. An empty piece means that
  // there is nothing yet; the next call follows a little later. No longer
  // called once the client has disconnected.
  std::function<std::optional<std::string>()> pieces{};
};

// Called from several threads at once. May be slow unless `quick` accepts the
// request: other connections are served meanwhile.
using HttpHandler = std::function<HttpReply(const HttpRequest&)>;

// Delivers the answer to one request, from any thread. Must be called exactly
// once.
using HttpResponder = std::function<void(HttpReply)>;

// Answers later, so that a request that waits occupies no thread. The request
// lives until it is answered. Called like an HttpHandler.
using HttpLaterHandler = std::function<void(const HttpRequest&, HttpResponder)>;

// Configuration of a server.
struct HttpServerSettings {
  Endpoint listen;  // port 0: any free port
  Bytes largest_body = Mebibytes(64);
  // Overrides largest_body by method and target. Called from the I/O thread, so
  // it must be fast.
  std::function<Bytes(std::string_view method, std::string_view target)>
      body_limit{};
  // Called with the head of every request before anything else; a reply refuses
  // it. Called from the I/O thread, so it must be fast.
  std::function<std::optional<HttpReply>(const HttpRequest& head)> pace{};
  // Called with every request that has a body, before the body is read; a reply
  // refuses it. Called from the I/O thread, so it must be fast.
  std::function<std::optional<HttpReply>(const HttpRequest& head)> admit{};
  // Where to keep a large body of this request (HttpRequest::spooled); empty:
  // in memory. Absent: all bodies stay in memory. Called from the I/O thread.
  std::function<std::filesystem::path(std::string_view method,
                                      std::string_view target)>
      spool_folder{};
  // TCP only. Certificates are loaded again when their files change. Absent: no
  // TLS, and OpenSSL is not initialized.
  std::optional<HttpServerTls> tls{};
  // Limit for each of: the TLS handshake, a whole header, a whole body (plus a
  // second per MiB), and receiving the response. A client that exceeds one is
  // disconnected; sending a byte now and then does not extend it.
  std::chrono::milliseconds patience = std::chrono::seconds(30);
  // Limit on what has arrived of all bodies together, in memory and in files.
  // The request that exceeds it gets status 503. Short bodies do not count.
  Bytes most_body_bytes = Gibibytes(1);
  // Limit on all responses together that clients are receiving. A response that
  // exceeds it, unless it is the only one, is replaced by status 503. Short
  // ones do not count.
  Bytes most_reply_bytes = Mebibytes(256);
  size_t threads = 2;  // number of handler threads
  // Selects requests whose handler only computes, for well under a millisecond,
  // and never blocks. The I/O thread answers them itself, in order of arrival:
  // handing them to another thread would cost more than many answers, and with
  // fewer CPUs than threads the scheduler would alternate between unfinished
  // answers. Called from the I/O thread. Absent: no request is quick.
  std::function<bool(const HttpRequest&)> quick{};
  // At this limit a new connection replaces another one: of the client address
  // with the most connections, the one that has sent and received nothing for
  // longest. If handlers are busy with all of them, the new one is closed.
  size_t most_connections = 512;
  // Time between two calls of `pieces`.
  std::chrono::milliseconds piece_interval{100};
};

// A running server. Destroying it shuts it down.
class HttpServer {
 public:
  // Listens when it returns. Fails with kUnavailable when the address is in
  // use, kPermissionDenied when this user may not use it, and like CheckTls.
  static Result<std::unique_ptr<HttpServer>> Start(HttpServerSettings settings,
                                                   HttpHandler handler);
  static Result<std::unique_ptr<HttpServer>> Start(HttpServerSettings settings,
                                                   HttpLaterHandler handler);
  // Stops listening, lets running handlers finish, waits for answers that were
  // promised for later, and closes every connection.
  virtual ~HttpServer() = default;

  // Stops listening and waits until the requests that have arrived are answered
  // and their responses are sent; their connections are closed then. Returns
  // false if that took longer than `at_most`.
  virtual bool Drain(std::chrono::milliseconds at_most) = 0;

  // With the port that is actually used.
  virtual Endpoint endpoint() const = 0;
};

}  // namespace mete
