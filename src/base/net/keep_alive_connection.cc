#include "net/keep_alive_connection.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>

#include "net/socket_address.h"

namespace mete {
namespace {

// What an error of send or recv means; 0: the end of the stream.
HttpFault ToFault(int error) {
  const bool closed = error == 0 || error == EPIPE || error == ECONNRESET;
  return closed ? HttpFault::kClosed : HttpFault::kBroken;
}

}  // namespace

WireRequest ToWire(const HttpRequest& request, const Endpoint& endpoint) {
  std::string bytes =
      fmt::format("{} {} HTTP/1.1\r\n", request.method,
                  request.target.empty() ? "/" : request.target);
  if (request.fields.find("host") == request.fields.end()) {
    bytes += fmt::format("host: {}\r\n", endpoint.Authority());
  }
  if (request.fields.find("user-agent") == request.fields.end()) {
    bytes += "user-agent: mete\r\n";
  }
  for (const auto& [name, value] : request.fields) {
    if (name != "content-length")
      bytes += fmt::format("{}: {}\r\n", name, value);
  }
  // Servers expect a length with these, even of nothing.
  bool may_have_body = request.method != "GET" && request.method != "HEAD";
  if (may_have_body || !request.body.empty()) {
    bytes += fmt::format("content-length: {}\r\n", request.body.size());
  }
  bytes += "\r\n";
  bytes += request.body;
  return {.bytes = std::move(bytes), .head = request.method == "HEAD"};
}

bool KeepAliveConnection::Send(const WireRequest& request, uint64_t tag) {
  CHECK(state_ == State::kIdle) << "send on a connection that is not idle";
  exchange_ = {.tag = tag, .sent = clock_.Now()};
  answer_.Start(request.head);
  unsent_ = request.bytes;
  state_ = State::kBusy;
  Write();
  if (write_fault_ == HttpFault::kNone) return true;
  // If part of it was written, the server may have worked on it: Advance reads
  // what it answered.
  if (unsent_.size() != request.bytes.size()) return true;
  state_ = State::kClosed;
  return false;
}

std::optional<HttpExchange> KeepAliveConnection::Advance(
    std::span<char> buffer) {
  if (state_ == State::kConnecting) FinishConnecting();
  if (state_ == State::kBusy && !unsent_.empty()) Write();
  if (state_ == State::kIdle || state_ == State::kBusy) Read(buffer);
  // A server that refuses a body answers, closes, and takes no more of it.
  if (state_ == State::kBusy && write_fault_ != HttpFault::kNone) {
    Fail(write_fault_);
  }
  if (!finished_) return std::nullopt;
  finished_ = false;
  return exchange_;
}

void KeepAliveConnection::FinishConnecting() {
  state_ = ConnectError(socket_) == 0 ? State::kIdle : State::kClosed;
}

void KeepAliveConnection::Write() {
  while (!unsent_.empty()) {
    ssize_t sent = send(socket_.number(), unsent_.data(), unsent_.size(),
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return;
    if (sent < 0) {
      write_fault_ = ToFault(errno);
      return;
    }
    unsent_.remove_prefix(static_cast<size_t>(sent));
  }
}

void KeepAliveConnection::Read(std::span<char> buffer) {
  for (;;) {
    ssize_t got =
        recv(socket_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      const int error = got < 0 ? errno : 0;
      if (state_ == State::kBusy && got == 0) answer_.TakeEnd();
      if (state_ == State::kBusy &&
          answer_.state() == HttpAnswerReader::State::kDone) {
        Finish();
        state_ = State::kClosed;
        return;
      }
      return Fail(ToFault(error));
    }
    // Nobody asked for bytes on an idle connection.
    if (state_ == State::kIdle) return Fail(HttpFault::kClosed);
    TakeBytes({buffer.data(), static_cast<size_t>(got)});
    // Less than the buffer holds: there is no more at the moment.
    if (state_ != State::kBusy || static_cast<size_t>(got) < buffer.size()) {
      return;
    }
  }
}

void KeepAliveConnection::TakeBytes(std::string_view bytes) {
  size_t taken = answer_.Take(bytes);
  switch (answer_.state()) {
    case HttpAnswerReader::State::kReading:
      return;
    case HttpAnswerReader::State::kBad:
      return Fail(HttpFault::kNotHttp);
    case HttpAnswerReader::State::kDone:
      break;
  }
  // A server that answers before it has read the request, or sends more than
  // the answer, is no longer in step with us.
  bool in_step = unsent_.empty() && taken == bytes.size();
  Finish();
  if (!in_step || !answer_.keep_alive()) state_ = State::kClosed;
}

void KeepAliveConnection::Finish() {
  exchange_.done = clock_.Now();
  exchange_.status = answer_.status();
  exchange_.timing = answer_.timing();
  finished_ = true;
  unsent_ = {};
  state_ = State::kIdle;
}

void KeepAliveConnection::Fail(HttpFault fault) {
  if (state_ == State::kBusy) {
    exchange_.done = clock_.Now();
    exchange_.fault = fault;
    finished_ = true;
  }
  state_ = State::kClosed;
}

}  // namespace mete
