// A Unix socket that others send to, with its file.
#pragma once

#include <filesystem>

#include "support/descriptor.h"
#include "support/result.h"

namespace mete {

// Who may send. An application in a container may run as another user.
enum class SocketAccess { kOwner, kEveryone };

struct SocketRequest {
  std::filesystem::path path;
  int type = 0;  // SOCK_DGRAM or SOCK_STREAM
  SocketAccess access = SocketAccess::kOwner;
};

// A bound (and, for streams, listening) socket that never blocks; its file is
// removed at the end of its life.
class ListeningSocket {
 public:
  // The file of a receiver that has died is replaced. Fails with kInvalidInput
  // when the path is longer than a socket address holds or is no socket, with
  // kUnavailable when somebody listens there, else with the system's reason.
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
