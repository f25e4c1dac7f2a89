// One connection to an HTTP server that carries one request after another and
// never blocks. HttpChannel drives it with the events of epoll.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "net/http_answer_reader.h"
#include "net/http_channel.h"
#include "support/clock.h"
#include "support/descriptor.h"

namespace mete {

// A request as its bytes on the wire.
struct WireRequest {
  std::string bytes;
  bool head = false;  // its response has no body
};
WireRequest ToWire(const HttpRequest& request, const Endpoint& endpoint);

// Not thread-safe. The requests it is given must live until they are done.
class KeepAliveConnection {
 public:
  enum class State {
    kConnecting,
    kIdle,    // may be given a request
    kBusy,    // with a request
    kClosed,  // cannot be used again
  };

  // `socket` is connecting or connected.
  KeepAliveConnection(Descriptor socket, const Clock& clock)
      : socket_(std::move(socket)), clock_(clock) {}

  State state() const { return state_; }
  const Descriptor& socket() const { return socket_; }
  // Whether to wait until the socket is writable, not only until it is
  // readable.
  bool wants_to_write() const {
    return state_ == State::kConnecting || !unsent_.empty();
  }

  // Only when idle. Returns false, and is closed, if the server has closed the
  // connection before anything was written: another connection may be tried.
  bool Send(const WireRequest& request, uint64_t tag);

  // Continues with what epoll has reported about the socket. `buffer` is any
  // memory to read into. Returns the request that is done now, if any; its
  // `server` is not set.
  std::optional<HttpExchange> Advance(std::span<char> buffer);

 private:
  void FinishConnecting();
  void Write();
  void Read(std::span<char> buffer);
  void TakeBytes(std::string_view bytes);
  void Fail(HttpFault fault);
  void Finish();

  Descriptor socket_;
  const Clock& clock_;
  State state_ = State::kConnecting;
  std::string_view unsent_;                   // rest of the current request
  HttpFault write_fault_ = HttpFault::kNone;  // why the rest cannot be sent
  HttpAnswerReader answer_;
  HttpExchange exchange_;  // of the current request
  bool finished_ = false;  // `exchange_` is to be returned
};

}  // namespace mete
