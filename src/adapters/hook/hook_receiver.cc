#include "adapters/hook/hook_receiver.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "adapters/hook/hook_wire.h"
#include "support/units.h"

namespace mete {
namespace {

constexpr size_t kBufferSize = 65536;
// Limit per socket and turn, so that no sender starves the others.
constexpr int kMostReads = 1024;
constexpr std::chrono::seconds kRest{1};
constexpr size_t kMostDetail = 160;

// Makes untrusted text safe for a terminal.
std::string Tame(std::string text) {
  text.resize(std::min(text.size(), kMostDetail));
  for (char& character : text) {
    if (static_cast<unsigned char>(character) < ' ') character = '?';
  }
  return text;
}

// A datagram and its sender as reported by the kernel; 0 for a process outside
// our pid namespace.
struct Received {
  ssize_t size = -1;  // its real size, even if it does not fit
  int sender = 0;
};

Received ReceiveDatagram(int socket, std::vector<char>& buffer) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> beside{};
  iovec place{.iov_base = buffer.data(), .iov_len = buffer.size()};
  msghdr message{};
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = beside.data();
  message.msg_controllen = beside.size();
  Received received;
  received.size =
      recvmsg(socket, &message, MSG_DONTWAIT | MSG_TRUNC | MSG_CMSG_CLOEXEC);
  if (received.size < 0) return received;
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr;
       one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SCM_CREDENTIALS) {
      continue;
    }
    ucred who{};
    std::memcpy(&who, CMSG_DATA(one), sizeof who);
    received.sender = who.pid;
  }
  return received;
}

// The process at the other end of a connection; 0 when unknown.
int FindPeer(int connection) {
  ucred who{};
  socklen_t size = sizeof who;
  bool known =
      getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0;
  return known ? who.pid : 0;
}

}  // namespace

Result<std::unique_ptr<HookReceiver>> HookReceiver::Open(
    HookReceiverRequest request, AppEventSink& sink, const Clock& clock) {
  ASSIGN_OR_RETURN(auto datagrams,
                   ListeningSocket::Bind({.path = request.folder / "hook.sock",
                                          .type = SOCK_DGRAM,
                                          .access = request.access}));
  ASSIGN_OR_RETURN(
      auto streams,
      ListeningSocket::Bind({.path = request.folder / "live_metrics.sock",
                             .type = SOCK_STREAM,
                             .access = request.access}));
  Descriptor wake(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake.open()) return SystemError("create an eventfd", errno);
  // make_unique cannot call the private constructor.
  return std::unique_ptr<HookReceiver>(
      new HookReceiver(std::move(request), sink, clock,
                       {.datagrams = std::move(datagrams),
                        .streams = std::move(streams),
                        .wake = std::move(wake)}));
}

HookReceiver::HookReceiver(HookReceiverRequest request, AppEventSink& sink,
                           const Clock& clock, Sockets sockets)
    : request_(std::move(request)),
      sink_(sink),
      clock_(clock),
      datagrams_(std::move(sockets.datagrams)),
      streams_(std::move(sockets.streams)),
      wake_(std::move(sockets.wake)),
      buffer_(kBufferSize),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

HookReceiver::~HookReceiver() { Stop(); }

void HookReceiver::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  eventfd_write(wake_.number(), 1);
  thread_.join();
}

HookReceiverCounts HookReceiver::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

void HookReceiver::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Wait();
    ReadOnce();
  }
  // An application that has just ended may have left data in the queue.
  ReadOnce();
}

void HookReceiver::Wait() {
  const bool resting = clock_.Now() < accept_again_;
  std::vector<pollfd> waits = {
      {.fd = wake_.number(), .events = POLLIN, .revents = 0},
      {.fd = datagrams_.number(), .events = POLLIN, .revents = 0},
      {.fd = resting ? -1 : streams_.number(), .events = POLLIN, .revents = 0}};
  for (const Connection& connection : connections_) {
    waits.push_back(
        {.fd = connection.descriptor.number(), .events = POLLIN, .revents = 0});
  }
  poll(waits.data(), waits.size(), resting ? 1000 : -1);
}

void HookReceiver::ReadOnce() {
  ReadDatagrams();
  AcceptConnections();
  std::erase_if(connections_, [this](Connection& connection) {
    return !ReadConnection(connection);
  });
}

void HookReceiver::ReadDatagrams() {
  for (int i = 0; i < kMostReads; ++i) {
    const Received got = ReceiveDatagram(datagrams_.number(), buffer_);
    if (got.size < 0) return;
    Count(&HookReceiverCounts::datagrams);
    const auto size = static_cast<size_t>(got.size);
    if (size > buffer_.size()) {
      Count(&HookReceiverCounts::oversized);
      Warn("oversized datagrams", Counted(size, "byte"));
      continue;
    }
    TakeDatagram({buffer_.data(), size}, got.sender);
  }
}

void HookReceiver::TakeDatagram(std::string_view bytes, int sender) {
  auto datagram = ParseHookDatagram(bytes, clock_.Now());
  if (!datagram.ok()) {
    Count(&HookReceiverCounts::malformed);
    Warn("malformed datagrams", datagram.error().message());
    return;
  }
  const uint64_t missing = senders_.MissingBefore(datagram->header);
  if (missing > 0) {
    sink_.TakeLoss({.name = "", .events = missing, .sender = sender});
  }
  for (AppLoss& loss : datagram->losses) {
    loss.sender = sender;
    sink_.TakeLoss(loss);
  }
  for (AppEvent& event : datagram->events) {
    event.sender = sender;
    sink_.Take(event);
  }
}

void HookReceiver::AcceptConnections() {
  for (int i = 0; i < kMostReads; ++i) {
    Descriptor made(accept4(streams_.number(), nullptr, nullptr,
                            SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!made.open()) {
      // The connection stays in the queue, so poll() would return immediately.
      const bool exhausted = errno == EMFILE || errno == ENFILE ||
                             errno == ENOBUFS || errno == ENOMEM;
      if (exhausted) accept_again_ = clock_.Now() + kRest;
      return;
    }
    if (connections_.size() >= kMostConnections) {
      Count(&HookReceiverCounts::refused);
      Warn("more connections", fmt::format("{} are open", kMostConnections));
      continue;
    }
    const int sender = FindPeer(made.number());
    connections_.push_back(
        {.descriptor = std::move(made), .sender = sender, .splitter = {}});
  }
}

bool HookReceiver::ReadConnection(Connection& connection) {
  for (int i = 0; i < kMostReads; ++i) {
    ssize_t got = recv(connection.descriptor.number(), buffer_.data(),
                       buffer_.size(), MSG_DONTWAIT);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) {
      // The last message may lack its blank line. A single byte is the
      // remainder of a discarded message.
      const std::string& rest = connection.splitter.rest();
      if (rest.size() > 1) TakeMessage(rest, connection.sender);
      return false;
    }
    const uint64_t before = connection.splitter.oversized();
    auto messages =
        connection.splitter.Feed({buffer_.data(), static_cast<size_t>(got)});
    for (const std::string& message : messages) {
      TakeMessage(message, connection.sender);
    }
    const uint64_t oversized = connection.splitter.oversized() - before;
    if (oversized == 0) continue;
    Count(&HookReceiverCounts::oversized, oversized);
    sink_.TakeLoss(
        {.name = "", .events = oversized, .sender = connection.sender});
    Warn("oversized messages",
         fmt::format("more than {} bytes", LegacySplitter::kMostBytes));
  }
  return true;
}

void HookReceiver::TakeMessage(const std::string& text, int sender) {
  Count(&HookReceiverCounts::messages);
  auto values = ParseLegacyMessage(text);
  if (!values.ok()) {
    Count(&HookReceiverCounts::malformed);
    sink_.TakeLoss({.name = "", .events = 1, .sender = sender});
    Warn("malformed messages", values.error().message());
    return;
  }
  const TwoClocks now{.monotonic = clock_.Now(), .wall = clock_.Wall()};
  for (const LegacyValue& value : *values) {
    AppEvent event = ToEvent(value, now);
    event.sender = sender;
    sink_.Take(event);
  }
}

void HookReceiver::Count(uint64_t HookReceiverCounts::*counter, uint64_t more) {
  std::lock_guard lock(mutex_);
  counts_.*counter += more;
}

void HookReceiver::Warn(const std::string& kind, const std::string& detail) {
  if (!warned_.insert(kind).second) return;
  request_.warn(
      fmt::format("an application sends {} ({}); they are dropped and counted",
                  kind, Tame(detail)));
}

}  // namespace mete
