#include "adapters/host/probe_socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace mete {
namespace {

Error TimedOut() { return Error(ErrorCode::kTimeout, "no answer in time"); }

// True when the descriptor is ready, false when the deadline passed.
bool WaitFor(int descriptor, short events, Deadline deadline) {
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() < 0) return false;
    pollfd wait{.fd = descriptor, .events = events, .revents = 0};
    // One more millisecond: the cast rounds down, and 0 would spin.
    int ready = poll(&wait, 1, static_cast<int>(left.count()) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

// An address of any family, as the resolver found it.
struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
};

Result<std::vector<Address>> LookUp(const std::string& host,
                                    const std::string& port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &list) != 0) {
    return NotFound("no host is called '" + host + "'");
  }
  std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, freeaddrinfo);
  std::vector<Address> found;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    Address address{.length = entry->ai_addrlen};
    std::memcpy(&address.storage, entry->ai_addr, entry->ai_addrlen);
    found.push_back(address);
  }
  return found;
}

// getaddrinfo knows no deadline and cannot be stopped, so it runs in a thread
// of its own that is left behind when it takes too long; that thread owns
// everything it touches.
Result<std::vector<Address>> LookUpUntil(const TcpAddress& address,
                                         Deadline deadline) {
  std::packaged_task<Result<std::vector<Address>>()> task(
      [host = address.host, port = std::to_string(address.port)] {
        return LookUp(host, port);
      });
  auto found = task.get_future();
  std::thread(std::move(task)).detach();
  if (found.wait_until(deadline) != std::future_status::ready) {
    return TimedOut().While("look up " + address.host);
  }
  return found.get();
}

}  // namespace

Result<Socket> Socket::ConnectTo(const void* address, unsigned length,
                                 Deadline deadline) {
  const auto* to = static_cast<const sockaddr*>(address);
  Socket made(Descriptor(
      socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  if (!made.descriptor_.open()) return SystemError("make a socket", errno);
  if (connect(made.descriptor_.number(), to, length) == 0) return made;
  // EAGAIN is a Unix socket whose queue of callers is full.
  if (errno == EAGAIN) return TimedOut().While("connect");
  if (errno != EINPROGRESS) return SystemError("connect", errno);
  if (!WaitFor(made.descriptor_.number(), POLLOUT, deadline)) {
    return TimedOut().While("connect");
  }
  int error = 0;
  socklen_t size = sizeof(error);
  getsockopt(made.descriptor_.number(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return SystemError("connect", error);
  return made;
}

Result<Socket> Socket::Connect(const ProbeTarget& endpoint, Deadline deadline) {
  if (const auto* path = std::get_if<std::filesystem::path>(&endpoint)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string& name = path->native();
    if (name.size() >= sizeof(address.sun_path)) {
      return InvalidInput("connect: the socket's path is too long");
    }
    std::copy(name.begin(), name.end(), address.sun_path);
    return ConnectTo(&address, sizeof(address), deadline);
  }
  ASSIGN_OR_RETURN(auto addresses,
                   LookUpUntil(std::get<TcpAddress>(endpoint), deadline));
  Error last = NotFound("connect: no address");
  for (const Address& address : addresses) {
    auto made = ConnectTo(&address.storage, address.length, deadline);
    if (made.ok()) return made;
    last = made.error();
  }
  return last;
}

Status Socket::Send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    if (!WaitFor(descriptor_.number(), POLLOUT, deadline)) return TimedOut();
    ssize_t sent =
        send(descriptor_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) return SystemError("send", errno);
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return {};
}

Result<std::string> Socket::Receive(size_t limit, Deadline deadline) {
  std::string received;
  std::vector<char> buffer(4096);
  while (received.size() < limit) {
    if (!WaitFor(descriptor_.number(), POLLIN, deadline)) {
      if (received.empty()) return TimedOut();
      return received;
    }
    ssize_t got = recv(descriptor_.number(), buffer.data(),
                       std::min(buffer.size(), limit - received.size()), 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return SystemError("receive", errno);
    if (got == 0) break;
    received.append(buffer.data(), static_cast<size_t>(got));
  }
  return received;
}

}  // namespace mete
