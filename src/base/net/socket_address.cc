#include "net/socket_address.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

namespace mete {
namespace {

Result<std::vector<SocketAddress>> LocalAddress(const std::string& path) {
  if (path.size() > kLongestSocketPath) {
    return InvalidInput("the path of the socket is too long: " + path);
  }
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  std::memcpy(local.sun_path, path.data(), path.size());
  SocketAddress address{.length = sizeof local};
  std::memcpy(&address.bytes, &local, sizeof local);
  return std::vector{address};
}

}  // namespace

Result<std::vector<SocketAddress>> FindAddresses(const Endpoint& endpoint) {
  if (endpoint.local()) return LocalAddress(endpoint.socket);
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  int error =
      getaddrinfo(endpoint.host.c_str(), std::to_string(endpoint.port).c_str(),
                  &wanted, &list);
  if (error != 0) {
    return Unavailable("look up " + endpoint.host + ": " + gai_strerror(error));
  }
  std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, freeaddrinfo);
  std::vector<SocketAddress> found;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    SocketAddress address{.length = entry->ai_addrlen};
    std::memcpy(&address.bytes, entry->ai_addr, entry->ai_addrlen);
    found.push_back(address);
  }
  return found;
}

Result<Descriptor> StartConnecting(const SocketAddress& address,
                                   const std::string& act) {
  Descriptor opened(socket(address.bytes.ss_family,
                           SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!opened.open()) return SystemError(act, errno);
  if (address.bytes.ss_family != AF_UNIX) {
    int on = 1;
    setsockopt(opened.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  if (connect(opened.number(),
              reinterpret_cast<const sockaddr*>(&address.bytes),
              address.length) != 0 &&
      errno != EINPROGRESS) {
    return SystemError(act, errno);
  }
  return opened;
}

int ConnectError(const Descriptor& socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
    return errno;
  }
  return error;
}

}  // namespace mete
