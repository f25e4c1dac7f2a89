// Port: takes in what a running application tells about itself.
#pragma once

#include <filesystem>

namespace mete {

// Where to listen. An application in a container may run as another user, who
// must be able to reach the socket.
struct ListenRequest {
  std::filesystem::path folder;
  bool everyone = false;
};

// Listens from its making to Stop(), and hands every event to an AppEventSink.
class AppListener {
 public:
  virtual ~AppListener() = default;
  // Takes in what has been sent so far, then ends; the sink is not called any
  // more. Does nothing the second time.
  virtual void Stop() = 0;
  // What METE_HOOK_SOCKET must say in the application's environment.
  virtual const std::filesystem::path& path() const = 0;
};

}  // namespace mete
