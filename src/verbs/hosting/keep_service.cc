#include "hosting/keep_service.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "cgroups/group_folders.h"
#include "support/file.h"
#include "support/private_folder.h"
#include "support/text.h"

namespace mete {
namespace {

constexpr std::chrono::milliseconds kLook{20};
// Where the files of the order are in a container.
constexpr const char* kContainerNetwork = "/place/network.onnx";
constexpr const char* kContainerFolder = "/place/run";
// A port and the end of its line. The service writes it, so it may be anything.
constexpr Bytes kMostPort{64};

LaunchRequest MakeProcess(const HostedService& service,
                          const KeepServiceDependencies& needs,
                          const ServiceFiles& files) {
  LaunchRequest launch;
  launch.command =
      ServiceCommandLine(service.order, needs.program, service.order.network,
                         files.PortFile(service.id));
  return launch;
}

// The container shares the network of this machine: the service listens on the
// loopback interface, like a process.
LaunchRequest MakeContainer(const HostedService& service,
                            const ServiceFiles& files) {
  const ServiceOrder& order = service.order;
  LaunchRequest launch;
  launch.container = ContainerSettings{};
  ContainerSettings& container = *launch.container;
  container.image = order.image;
  container.network = "host";
  container.user = fmt::format("{}:{}", getuid(), getgid());
  container.entrypoint = "mete";
  container.mounts.push_back(
      {.source = files.RunFolder(service.id), .target = kContainerFolder});
  std::string network = PathInImage(order.network).value_or(order.network);
  if (IsLocalFile(order.network)) {
    container.mounts.push_back({.source = order.network,
                                .target = kContainerNetwork,
                                .read_only = true});
    network = kContainerNetwork;
  }
  launch.command =
      ServiceCommandLine(order, "", network,
                         std::filesystem::path(kContainerFolder) /
                             files.PortFile(service.id).filename());
  // It has no home folder: networks of the zoo are written there.
  launch.environment["METE_STATE"] = "/tmp";
  return launch;
}

Result<LaunchRequest> MakeLaunch(const HostedService& service,
                                 const KeepServiceDependencies& needs,
                                 const ServiceFiles& files) {
  const ServiceOrder& order = service.order;
  if (order.launcher != "process" && order.launcher != "docker") {
    return Unsupported(
        fmt::format("services on this machine are started by process or "
                    "docker, not by '{}'",
                    order.launcher));
  }
  if (order.launcher == "docker" && order.image.empty()) {
    return InvalidInput("a container requires an image");
  }
  if (order.launcher == "process" && PathInImage(order.network)) {
    return InvalidInput(order.network + " requires a container");
  }
  LaunchRequest launch = order.launcher == "docker"
                             ? MakeContainer(service, files)
                             : MakeProcess(service, needs, files);
  launch.limits = order.limits;
  return launch;
}

// Waits until the service wrote its port.
Result<uint16_t> AwaitPort(RunningApplication& running,
                           const std::filesystem::path& file,
                           std::stop_token stop) {
  while (!stop.stop_requested()) {
    if (auto text = ReadRegularFile(file, kMostPort); text.ok()) {
      auto port = ParseCount(SplitAt(*text, '\n').front());
      if (port.ok() && *port > 0 && *port < 65536) {
        return static_cast<uint16_t>(*port);
      }
    }
    if (running.Wait(kLook)) return Unavailable("the service ended at once");
  }
  return Error(ErrorCode::kInterrupted, "stopped before it answered");
}

// The output of a service, in a file that does not grow without end.
class ServiceLog {
 public:
  explicit ServiceLog(const std::filesystem::path& file)
      : file_(file, std::ios::app) {}

  void Write(std::string_view text) {
    if (left_ == 0) return;
    const std::string_view kept = text.substr(0, left_);
    left_ -= kept.size();
    file_ << kept;
    if (left_ == 0) {
      file_ << fmt::format("\nmete: the log has {}; the rest is not kept\n",
                           FormatBytes(kMostServiceLog));
    }
    file_.flush();
  }

 private:
  std::ofstream file_;
  size_t left_ = kMostServiceLog.count;
};

void EndService(RunningApplication& running) {
  running.Terminate();
  running.Wait(kServiceDrain);
  running.Kill();
}

Status RunKept(HostedService& service, const KeepServiceDependencies& needs,
               const ServiceFiles& files, std::stop_token stop) {
  ASSIGN_OR_RETURN(LaunchRequest launch, MakeLaunch(service, needs, files));
  RETURN_IF_ERROR(MakePrivateFolder(files.RunFolder(service.id)));
  auto log = std::make_shared<ServiceLog>(files.LogFile(service.id));
  launch.output = [log](std::string_view text) { log->Write(text); };
  launch.stop = stop;
  const WorkloadKind kind =
      launch.container ? WorkloadKind::kImage : WorkloadKind::kCommand;
  ASSIGN_OR_RETURN(Launcher * launcher, needs.launchers.Find(kind, stop));
  if (launch.container) {
    ASSIGN_OR_RETURN([[maybe_unused]] LaunchFacts facts,
                     launcher->Prepare(launch, {}, stop));
  }
  ASSIGN_OR_RETURN(auto running, launcher->Start(launch));
  auto port = AwaitPort(*running, files.PortFile(service.id), stop);
  if (!port.ok()) {
    EndService(*running);
    return port.error();
  }
  service.url = fmt::format("http://127.0.0.1:{}", *port);
  service.state = HostedService::State::kRunning;
  RETURN_IF_ERROR(files.Write(service));
  while (!stop.stop_requested()) {
    if (running->Wait(std::chrono::milliseconds(100))) {
      running->Kill();
      return Unavailable("the service ended by itself");
    }
  }
  EndService(*running);
  return {};
}

}  // namespace

std::vector<std::string> ServiceCommandLine(
    const ServiceOrder& order, const std::string& program,
    const std::string& network, const std::filesystem::path& port_file) {
  std::vector<std::string> line;
  if (!program.empty()) line.push_back(program);
  line.insert(
      line.end(),
      {"service", network, "--listen", "127.0.0.1:0", "--port-file",
       port_file.string(), "--threads", std::to_string(order.threads), "--name",
       order.app, "--drain", fmt::format("{}s", kServiceDrain.count())});
  return line;
}

Status KeepService(const std::string& id, const KeepServiceDependencies& needs,
                   std::stop_token stop) {
  const ServiceFiles files(needs.folder);
  ASSIGN_OR_RETURN(HostedService service, files.Read(id));
  service.keeper = OwnTag(needs.root);
  service.boot = BootId(needs.root);
  service.state = HostedService::State::kStarting;
  RETURN_IF_ERROR(files.Write(service));
  Status kept = RunKept(service, needs, files, stop);
  if (kept.ok()) {
    files.Remove(id);
    return {};
  }
  service.state = HostedService::State::kGone;
  service.url.clear();
  RETURN_IF_ERROR(files.Write(service));
  return kept;
}

}  // namespace mete
