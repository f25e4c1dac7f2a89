#include "adapters/hook/listening_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace mete {
namespace {

constexpr int kWaitingConnections = 64;

Result<sockaddr_un> MakeSocketAddress(const std::filesystem::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& text = path.native();
  if (text.empty() || text.size() >= sizeof(address.sun_path)) {
    return InvalidInput(fmt::format(
        "the path of a socket must have 1 to {} bytes, this one has {}",
        sizeof(address.sun_path) - 1, text.size()));
  }
  std::copy(text.begin(), text.end(), address.sun_path);
  return address;
}

const sockaddr* Generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

Descriptor MakeSocket(int type) {
  return Descriptor(socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Removes the file if it is a socket that no process holds any more.
Status RemoveDead(const SocketRequest& request, const sockaddr_un& address) {
  struct stat status {};
  if (stat(request.path.c_str(), &status) == 0 && !S_ISSOCK(status.st_mode)) {
    return InvalidInput("the file exists and is not a socket");
  }
  Descriptor caller = MakeSocket(request.type);
  if (!caller.open()) return SystemError("create a socket", errno);
  if (connect(caller.number(), Generic(address), sizeof(address)) == 0 ||
      errno != ECONNREFUSED) {
    return Unavailable("another process already listens there");
  }
  if (unlink(request.path.c_str()) != 0) return SystemError("remove", errno);
  return {};
}

Status BindTo(int socket, const SocketRequest& request) {
  ASSIGN_OR_RETURN(sockaddr_un address, MakeSocketAddress(request.path));
  if (bind(socket, Generic(address), sizeof(address)) == 0) return {};
  if (errno != EADDRINUSE) return SystemError("bind", errno);
  RETURN_IF_ERROR(RemoveDead(request, address));
  if (bind(socket, Generic(address), sizeof(address)) == 0) return {};
  return SystemError("bind", errno);
}

}  // namespace

Result<ListeningSocket> ListeningSocket::Bind(const SocketRequest& request) {
  const std::string act = fmt::format("listen on {}", request.path.native());
  Descriptor made = MakeSocket(request.type);
  if (!made.open()) return SystemError(act, errno);
  // Makes the kernel add the sender to each datagram. Set before the socket has
  // a name, so that it covers the first datagram, too.
  const int yes = 1;
  if (request.type == SOCK_DGRAM &&
      setsockopt(made.number(), SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) !=
          0) {
    return SystemError(act, errno);
  }
  Status bound = BindTo(made.number(), request);
  if (!bound.ok()) return bound.error().While(act);
  ListeningSocket socket(std::move(made), request.path);
  // Any user who may write to the file may send.
  const mode_t mode = request.access == SocketAccess::kOwner ? 0600 : 0666;
  if (chmod(request.path.c_str(), mode) != 0) return SystemError(act, errno);
  if (request.type == SOCK_STREAM &&
      listen(socket.number(), kWaitingConnections) != 0) {
    return SystemError(act, errno);
  }
  return socket;
}

ListeningSocket::ListeningSocket(ListeningSocket&& other) noexcept
    : descriptor_(std::move(other.descriptor_)),
      path_(std::exchange(other.path_, {})) {}

ListeningSocket::~ListeningSocket() {
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace mete
