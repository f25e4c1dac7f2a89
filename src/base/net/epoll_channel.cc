// HttpChannel over sockets, with one epoll for all connections.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <utility>

#include "net/http_channel.h"
#include "net/keep_alive_connection.h"
#include "net/precise_wait.h"
#include "net/socket_address.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;

constexpr size_t kReadBuffer = size_t{64} * 1024;
// Events taken from the kernel at once; by a caller that is late already, no
// more than it sends requests in between, so that the next one is not kept
// waiting by a heap of answers.
constexpr int kEventBatch = 64;
constexpr int kEventBatchWhenLate = 16;

timespec ToTimespec(nanoseconds time) {
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {.tv_sec = seconds.count(), .tv_nsec = (time - seconds).count()};
}

// Lets the kernel wake this thread on time: by default it may be 50 us late.
class PreciseTimers {
 public:
  PreciseTimers() : before_(prctl(PR_GET_TIMERSLACK)) {
    prctl(PR_SET_TIMERSLACK, 1UL);
  }
  ~PreciseTimers() {
    if (before_ > 0) {
      prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(before_));
    }
  }
  PreciseTimers(const PreciseTimers&) = delete;
  PreciseTimers& operator=(const PreciseTimers&) = delete;

 private:
  int before_;
};

class EpollChannel final : public HttpChannel {
 public:
  EpollChannel(Clock& clock, const HttpChannelSettings& settings,
               Descriptor epoll)
      : clock_(clock),
        settings_(settings),
        epoll_(std::move(epoll)),
        buffer_(kReadBuffer) {}

  Result<size_t> AddServer(const HttpServerPlace& place) override;
  size_t AddRequest(size_t server, const HttpRequest& request) override {
    // The requests on their way point into the deque, which does not move them.
    requests_.push_back(
        {.server = server,
         .wire = ToWire(request, servers_[server].place.endpoint)});
    return requests_.size() - 1;
  }
  void Send(size_t request, uint64_t tag) override;
  void Work(nanoseconds until, std::vector<HttpExchange>& done) override;
  size_t outstanding() const override { return queued_ + busy_; }
  size_t queued() const override { return queued_; }

 private:
  struct Waiting {
    size_t request = 0;
    uint64_t tag = 0;
  };
  struct Member;  // a connection of a server
  struct Server {
    HttpServerPlace place;
    std::string act;  // "connect to 127.0.0.1:8000", for errors
    SocketAddress address;
    std::vector<std::unique_ptr<Member>> members;
    std::vector<Member*> idle;  // used last comes first: fewer stay in use
    size_t connecting = 0;
    std::deque<Waiting> waiting;
  };
  struct Member {
    Member(size_t server_, Descriptor socket, const Clock& clock)
        : server(server_), connection(std::move(socket), clock) {}
    size_t server;
    KeepAliveConnection connection;
    bool watched_for_writing = true;
    bool removed = false;
  };
  struct Request {
    size_t server = 0;
    WireRequest wire;
  };

  Status ConnectFirst(size_t number, const std::vector<SocketAddress>& found);
  Member* Open(size_t number, Descriptor socket);
  // Opens as many connections as requests are waiting for, if allowed.
  void OpenForWaiting(size_t number);
  void GiveUpFirst(Server& server);
  bool SendOnIdle(size_t request, uint64_t tag);
  // Gives waiting requests to connections that are free.
  void Feed(size_t number);
  void UpdateWatch(Member& member);
  void Remove(Member& member);
  void Handle(Member& member);
  void Record(size_t server, const HttpExchange& exchange);
  int Poll(nanoseconds sleep, int most = kEventBatch);

  Clock& clock_;
  const HttpChannelSettings settings_;
  const PreciseTimers precise_;
  Descriptor epoll_;
  std::vector<char> buffer_;
  std::array<epoll_event, kEventBatch> events_{};
  std::deque<Server> servers_;
  std::deque<Request> requests_;
  std::vector<HttpExchange> done_;
  // Closed connections, kept until no event can refer to them.
  std::vector<std::unique_ptr<Member>> removed_;
  size_t queued_ = 0;
  size_t busy_ = 0;
};

// Waits until the socket is connected. Returns its error, 0 for none.
int AwaitConnection(const Descriptor& socket, nanoseconds patience) {
  pollfd waiting{.fd = socket.number(), .events = POLLOUT, .revents = 0};
  timespec time = ToTimespec(patience);
  int ready = ppoll(&waiting, 1, &time, nullptr);
  if (ready < 0) return errno;
  return ready == 0 ? ETIMEDOUT : ConnectError(socket);
}

Result<size_t> EpollChannel::AddServer(const HttpServerPlace& place) {
  if (place.endpoint.tls) {
    return Unsupported("TLS is not supported for requests that do not wait: " +
                       place.endpoint.Text());
  }
  if (place.most_connections == 0) {
    return InvalidInput("at least one connection is required");
  }
  ASSIGN_OR_RETURN(auto found, FindAddresses(place.endpoint));
  servers_.push_back(
      {.place = place,
       .act = "connect to " + (place.endpoint.local()
                                   ? place.endpoint.Text()
                                   : place.endpoint.Authority())});
  size_t number = servers_.size() - 1;
  Status connected = ConnectFirst(number, found);
  if (connected.ok()) return number;
  servers_.pop_back();
  return connected.error();
}

Status EpollChannel::ConnectFirst(size_t number,
                                  const std::vector<SocketAddress>& found) {
  Server& server = servers_[number];
  Status last = Unavailable(server.act + ": no address");
  for (const SocketAddress& address : found) {
    auto socket = StartConnecting(address, server.act);
    if (!socket.ok()) {
      last = socket.error();
      continue;
    }
    const int error = AwaitConnection(*socket, settings_.connect_patience);
    if (error != 0) {
      last = SystemError(server.act, error);
      continue;
    }
    server.address = address;
    Member* member = Open(number, *std::move(socket));
    if (member == nullptr) return SystemError(server.act, errno);
    Handle(*member);
    return {};
  }
  return last;
}

EpollChannel::Member* EpollChannel::Open(size_t number, Descriptor socket) {
  Server& server = servers_[number];
  auto member = std::make_unique<Member>(number, std::move(socket), clock_);
  epoll_event event{.events = EPOLLIN | EPOLLOUT, .data = {}};
  event.data.ptr = member.get();
  if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD,
                member->connection.socket().number(), &event) != 0) {
    return nullptr;
  }
  ++server.connecting;
  server.members.push_back(std::move(member));
  return server.members.back().get();
}

void EpollChannel::Send(size_t request, uint64_t tag) {
  size_t number = requests_[request].server;
  if (SendOnIdle(request, tag)) return;
  servers_[number].waiting.push_back({.request = request, .tag = tag});
  ++queued_;
  OpenForWaiting(number);
}

bool EpollChannel::SendOnIdle(size_t request, uint64_t tag) {
  Server& server = servers_[requests_[request].server];
  while (!server.idle.empty()) {
    Member& member = *server.idle.back();
    server.idle.pop_back();
    if (member.connection.Send(requests_[request].wire, tag)) {
      ++busy_;
      UpdateWatch(member);
      return true;
    }
    Remove(member);
  }
  return false;
}

void EpollChannel::OpenForWaiting(size_t number) {
  Server& server = servers_[number];
  while (server.connecting < server.waiting.size() &&
         server.members.size() < server.place.most_connections) {
    auto socket = StartConnecting(server.address, server.act);
    if (socket.ok() && Open(number, *std::move(socket)) != nullptr) continue;
    // With other connections the request waits for one of them: this process
    // may have no descriptor left. Without any it has nothing to wait for.
    if (!server.members.empty()) return;
    GiveUpFirst(server);
  }
}

void EpollChannel::GiveUpFirst(Server& server) {
  if (server.waiting.empty()) return;
  Waiting first = server.waiting.front();
  server.waiting.pop_front();
  --queued_;
  Record(requests_[first.request].server, {.tag = first.tag,
                                           .done = clock_.Now(),
                                           .fault = HttpFault::kUnreachable});
}

void EpollChannel::Feed(size_t number) {
  Server& server = servers_[number];
  while (!server.waiting.empty() && !server.idle.empty()) {
    Waiting first = server.waiting.front();
    if (!SendOnIdle(first.request, first.tag)) break;
    server.waiting.pop_front();
    --queued_;
  }
  OpenForWaiting(number);
}

void EpollChannel::UpdateWatch(Member& member) {
  bool wants = member.connection.wants_to_write();
  if (wants == member.watched_for_writing) return;
  epoll_event event{.events = EPOLLIN, .data = {}};
  if (wants) event.events |= EPOLLOUT;
  event.data.ptr = &member;
  CHECK(epoll_ctl(epoll_.number(), EPOLL_CTL_MOD,
                  member.connection.socket().number(), &event) == 0)
      << "epoll_ctl";
  member.watched_for_writing = wants;
}

void EpollChannel::Remove(Member& member) {
  auto& members = servers_[member.server].members;
  auto place = std::find_if(
      members.begin(), members.end(),
      [&](const auto& candidate) { return candidate.get() == &member; });
  epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, member.connection.socket().number(),
            nullptr);
  member.removed = true;
  removed_.push_back(std::move(*place));
  members.erase(place);
}

void EpollChannel::Record(size_t server, const HttpExchange& exchange) {
  done_.push_back(exchange);
  done_.back().server = server;
}

void EpollChannel::Handle(Member& member) {
  using State = KeepAliveConnection::State;
  if (member.removed) return;  // since this event was reported
  size_t number = member.server;
  Server& server = servers_[number];
  State before = member.connection.state();
  auto finished = member.connection.Advance(buffer_);
  State after = member.connection.state();
  if (before == State::kConnecting && after != State::kConnecting) {
    --server.connecting;
  }
  if (finished) {
    --busy_;
    Record(number, *finished);
  }
  if (after == State::kClosed) {
    if (before == State::kIdle) std::erase(server.idle, &member);
    Remove(member);
    if (before == State::kConnecting) GiveUpFirst(server);
  } else {
    UpdateWatch(member);
    if (after == State::kIdle && before != State::kIdle) {
      server.idle.push_back(&member);
    }
  }
  Feed(number);
}

// Sleeps until something can be handled, but no longer than `sleep`, then
// returns the number of events.
int EpollChannel::Poll(nanoseconds sleep, int most) {
  if (sleep.count() > 0) {
    // epoll_wait counts in milliseconds; ppoll in nanoseconds.
    pollfd waiting{.fd = epoll_.number(), .events = POLLIN, .revents = 0};
    timespec time = ToTimespec(sleep);
    if (ppoll(&waiting, 1, &time, nullptr) <= 0) return 0;
  }
  return epoll_wait(epoll_.number(), events_.data(), most, 0);
}

void EpollChannel::Work(nanoseconds until, std::vector<HttpExchange>& done) {
  removed_.clear();
  nanoseconds now = clock_.Now();
  const bool late = now >= until;
  int count = Poll(nanoseconds(0), late ? kEventBatchWhenLate : kEventBatch);
  while (count == 0 && now < until && done_.empty()) {
    count = Poll(TimeToSleep(until - now, settings_.spin));
    now = clock_.Now();
  }
  for (int i = 0; i < count; ++i) {
    Handle(*static_cast<Member*>(events_[static_cast<size_t>(i)].data.ptr));
    // The kernel reports again what is left. A caller that is late already
    // cannot wait for a better moment.
    if (!late && clock_.Now() >= until) break;
  }
  done.insert(done.end(), done_.begin(), done_.end());
  done_.clear();
}

}  // namespace

std::string_view ToWords(HttpFault fault) {
  switch (fault) {
    case HttpFault::kNone:
      return "none";
    case HttpFault::kUnreachable:
      return "no connection";
    case HttpFault::kClosed:
      return "connection closed";
    case HttpFault::kNotHttp:
      return "not HTTP";
    case HttpFault::kBroken:
      return "connection failed";
  }
  return "unknown";
}

Result<std::unique_ptr<HttpChannel>> OpenHttpChannel(
    Clock& clock, const HttpChannelSettings& settings) {
  Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.open()) return SystemError("create an epoll", errno);
  return std::unique_ptr<HttpChannel>(
      std::make_unique<EpollChannel>(clock, settings, std::move(epoll)));
}

}  // namespace mete
