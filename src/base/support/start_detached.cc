#include "support/start_detached.h"

#include <fcntl.h>

#include <cerrno>

#include "support/descriptor.h"
#include "support/spawn.h"

namespace mete {

Status StartDetached(const std::vector<std::string>& command,
                     const std::map<std::string, std::string>& environment,
                     const std::filesystem::path& log, Clock& clock) {
  const Descriptor output(
      open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!output.open()) return SystemError("open " + log.string(), errno);
  // Forks: the program is not our child, so it leaves no zombie here.
  std::vector<std::string> arguments = {"setsid", "--fork"};
  arguments.insert(arguments.end(), command.begin(), command.end());
  ASSIGN_OR_RETURN(pid_t process, Spawn({.arguments = std::move(arguments),
                                         .output = output.number(),
                                         .errors = output.number(),
                                         .environment = environment}));
  ASSIGN_OR_RETURN(
      int status,
      WaitForProcess(process, clock.Now() + std::chrono::seconds(10), clock,
                     {}));
  if (status != 0) return Unavailable("setsid could not start " + command[0]);
  return {};
}

}  // namespace mete
