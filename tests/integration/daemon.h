// Runs servers, ours and others, as child processes of a test.
#pragma once

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/check.h"
#include "support/descriptor.h"
#include "support/spawn.h"

namespace mete {

// Returns a port that was free a moment ago.
inline uint16_t FreePort() {
  Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  CHECK(bind(listener.number(), generic, sizeof address) == 0);
  socklen_t size = sizeof address;
  CHECK(getsockname(listener.number(), generic, &size) == 0);
  return ntohs(address.sin_port);
}

inline std::string Here(uint16_t port) {
  return "127.0.0.1:" + std::to_string(port);
}

// A child process that is killed with its owner. Its output is appended to the
// log.
class Daemon {
 public:
  Daemon(const std::vector<std::string>& arguments,
         const std::filesystem::path& log) {
    Descriptor said(
        open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    auto started = Spawn({.arguments = arguments,
                          .output = said.number(),
                          .errors = said.number()});
    CHECK(started.ok()) << started.error().message();
    process_ = *started;
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  ~Daemon() {
    if (process_ > 0) End(SIGKILL);
  }

  pid_t process() const { return process_; }
  // Returns its status as in waitpid(2).
  int End(int signal) {
    kill(process_, signal);
    int status = 0;
    CHECK(waitpid(process_, &status, 0) == process_) << "waitpid";
    process_ = 0;
    return status;
  }

 private:
  pid_t process_ = 0;
};

}  // namespace mete
