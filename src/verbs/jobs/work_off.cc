#include "jobs/work_off.h"

#include <fmt/format.h>
#include <unistd.h>

#include "devices/this_device.h"

namespace mete {

Result<std::vector<Job>> WorkOff(const WorkOffRequest& request,
                                 const WorkOffDependencies& dependencies,
                                 const WorkerCallbacks& callbacks,
                                 std::stop_token stop) {
  const WorkerPorts& ports = dependencies.ports;
  ASSIGN_OR_RETURN(Device device,
                   RegisterThisDevice(ports.runs, ports.platform.host,
                                      ports.platform.clock));
  // The name is unique because a process has at most one worker.
  std::string name = fmt::format("{}:{}", device.name, getpid());
  return RunWorker({.device = std::move(device),
                    .mete_version = request.mete_version,
                    .name = std::move(name),
                    .folder = dependencies.runs_folder,
                    .parallel = request.parallel,
                    .until_empty = request.until_empty,
                    .user = request.user},
                   ports, callbacks, std::move(stop));
}

}  // namespace mete
