// A Unix socket for receiving, with its file.
#pragma once

#include <filesystem>

#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// Who may send. An application in a container may run as another user.
enum class SocketAccess { kOwner, kEveryone };

// How to create a socket.
struct SocketRequest {
  std::filesystem::path path;
  int type = 0;  // SOCK_DGRAM or SOCK_STREAM
  SocketAccess access = SocketAccess::kOwner;
};

// A bound (and, for streams, listening) non-blocking socket. The destructor
// removes its file.
class ListeningSocket {
 public:
  // Replaces the socket file of a receiver that has died. Fails with
  // kInvalidInput when the path is too long for a socket address or exists and
  // is not a socket, with kUnavailable when something listens there, otherwise
  // with the system's error.
  static Result<ListeningSocket> Bind(const SocketRequest& request);
  ListeningSocket(ListeningSocket&& other) noexcept;
  ListeningSocket& operator=(ListeningSocket&&) = delete;
  ~ListeningSocket();

  int number() const { return descriptor_.number(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  ListeningSocket(Descriptor descriptor, std::filesystem::path path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::filesystem::path path_;  // empty: nothing to remove
};

}  // namespace mete
