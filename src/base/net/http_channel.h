// Sends HTTP requests over keep-alive connections without ever waiting for an
// answer: what a load generator needs, whose next request must not depend on
// the last answer.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "net/endpoint.h"
#include "net/http.h"
#include "net/server_timing.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Why a request got no complete answer.
enum class HttpFault : uint8_t {
  kNone,         // it got one
  kUnreachable,  // no connection could be opened
  kClosed,       // the server closed the connection before the answer was whole
  kNotHttp,      // the answer is not HTTP
  kBroken,       // the network failed, or the system cannot send
};
std::string_view ToWords(HttpFault fault);

// A request that was answered or has failed. Times are those of Clock::Now.
struct HttpExchange {
  size_t server = 0;  // as returned by AddServer
  uint64_t tag = 0;   // as given to Send
  // Just before the first byte was written. Absent: it never got a connection.
  std::optional<std::chrono::nanoseconds> sent{};
  std::chrono::nanoseconds done{0};  // the whole answer was there, or it failed
  int status = 0;                    // 0 without an answer
  HttpFault fault = HttpFault::kNone;
  ServerTiming timing{};
};

// A server and how to speak to it.
struct HttpServerPlace {
  Endpoint endpoint;
  size_t most_connections = 64;
};

// Connections to any number of servers, driven by the calling thread.
// Not thread-safe.
class HttpChannel {
 public:
  virtual ~HttpChannel() = default;

  // Opens the first connection and returns the server's number, counted from 0.
  // Fails with kUnavailable if nothing listens there, kUnsupported for TLS.
  virtual Result<size_t> AddServer(const HttpServerPlace& place) = 0;
  // The same request may be sent any number of times; `fields` are sent as they
  // are, host and content-length are added. Returns its number.
  virtual size_t AddRequest(size_t server, const HttpRequest& request) = 0;
  // Sends now if a connection is free or may be opened, else as soon as one
  // becomes free. Never blocks.
  virtual void Send(size_t request, uint64_t tag) = 0;
  // Handles what happens until `until` and appends the requests that are done.
  // Returns at that time, at once if it has passed, and earlier when something
  // is done and nothing is left to handle.
  virtual void Work(std::chrono::nanoseconds until,
                    std::vector<HttpExchange>& done) = 0;
  // Requests that are not done; `queued` of them wait for a connection.
  virtual size_t outstanding() const = 0;
  virtual size_t queued() const = 0;
};

// How a channel waits.
struct HttpChannelSettings {
  // The last part of a wait is spent in a loop instead of asleep, because the
  // kernel wakes a thread late; so are short waits. 0 never occupies a core.
  std::chrono::microseconds spin{50};
  // How long AddServer waits for its first connection.
  std::chrono::nanoseconds connect_patience = std::chrono::seconds(5);
};

// A channel over TCP and Unix sockets. Fails when epoll is not available.
Result<std::unique_ptr<HttpChannel>> OpenHttpChannel(
    Clock& clock, const HttpChannelSettings& settings = {});

}  // namespace mete
