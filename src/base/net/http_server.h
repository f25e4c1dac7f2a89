// A server of HTTP/1.1, over TCP, TLS or a Unix socket.
#pragma once

#include <chrono>
#include <cstddef>
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

// What a handler answers: a whole response, or a head whose body follows in
// pieces for as long as there are any.
struct HttpReply {
  HttpResponse response;
  // Asked again and again until it is absent; an empty piece means that there
  // is nothing yet, and it is asked again a little later. Not called any more
  // once the caller has gone.
  std::function<std::optional<std::string>()> pieces{};
};

// Called from several threads at once. May take its time, unless the settings
// call the request quick: other connections are served meanwhile.
using HttpHandler = std::function<HttpReply(const HttpRequest&)>;

struct HttpServerSettings {
  Endpoint listen;  // port 0: any that is free
  Bytes largest_body = Mebibytes(64);
  // For requests that may have more or less than that, by method and target.
  // Called from the thread that reads: it must be quick.
  std::function<Bytes(std::string_view method, std::string_view target)>
      body_limit{};
  // Over TCP only. Certificates are read again when their files change. Absent:
  // plain, and nothing of OpenSSL is set up.
  std::optional<HttpServerTls> tls{};
  // A caller has so long for the handshake of TLS, so long for a whole header,
  // so long for a whole body, with a second more for every MiB of it, and so
  // long to take the answer; then it is let go. Sending a byte now and then
  // does not buy more.
  std::chrono::milliseconds patience = std::chrono::seconds(30);
  // All bodies together that are being received; who comes in beyond that is
  // told to come back (503). Short ones do not count.
  Bytes most_body_bytes = Gibibytes(1);
  size_t threads = 2;  // for handlers
  // Requests whose handler only computes, for well under a millisecond, and
  // waits for nobody. They are answered by the thread that reads, one after
  // the other in the order they came in: handing them to another thread costs
  // more than many an answer, and where there are fewer CPUs than threads the
  // scheduler takes turns among answers that are half done, so that some wait
  // for all the others. Called from the thread that reads. Absent: none.
  std::function<bool(const HttpRequest&)> quick{};
  // When all are taken, a newcomer gets the place of whoever has been silent
  // or busy with a short request for longest; when all are being answered or
  // send long bodies, it is closed.
  size_t most_connections = 512;
  // Between two questions for a piece.
  std::chrono::milliseconds piece_interval{100};
};

class HttpServer {
 public:
  // Listens when it returns. Fails with kUnavailable when the place is taken,
  // kPermissionDenied when it is not ours to take, and as CheckTls does.
  static Result<std::unique_ptr<HttpServer>> Start(HttpServerSettings settings,
                                                   HttpHandler handler);
  // Stops listening, lets running handlers finish and closes every connection.
  virtual ~HttpServer() = default;

  // With the port that was really taken.
  virtual Endpoint endpoint() const = 0;
};

}  // namespace mete
