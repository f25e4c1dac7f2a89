// Port: receives the metrics that a running application reports.
#pragma once

#include <filesystem>

namespace mete {

// Where to listen. An application in a container may run as another user, who
// must be able to access the socket.
struct ListenRequest {
  std::filesystem::path folder;
  bool everyone = false;
};

// Listens from its creation to Stop() and passes every event to an
// AppEventSink.
class AppListener {
 public:
  virtual ~AppListener() = default;
  // Processes everything sent so far, then ends; the sink is not called
  // afterwards. A second call does nothing.
  virtual void Stop() = 0;
  // The value for METE_HOOK_SOCKET in the application's environment.
  virtual const std::filesystem::path& path() const = 0;
};

}  // namespace mete
