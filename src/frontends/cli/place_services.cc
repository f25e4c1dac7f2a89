// mete place list, mete place stop, and the internal mete place keep.
#include <algorithm>

#include "cli/hangup.h"
#include "cli/place_actions.h"
#include "support/json.h"

namespace mete {
namespace {

struct StopFlags {
  std::vector<std::string> services;
  bool all = false;
  std::string launcher = "process";
};

Result<std::vector<HostedService>> ListServices(
    Invocation& invocation, const PlaceCommandDependencies& needs,
    const std::string& launcher) {
  ASSIGN_OR_RETURN(ServiceHost * host, needs.host(launcher));
  return host->List(invocation.stop);
}

Result<ExitCode> PrintServices(Invocation& invocation,
                               const PlaceCommandDependencies& needs,
                               const std::string& launcher) {
  ASSIGN_OR_RETURN(std::vector<HostedService> services,
                   ListServices(invocation, needs, launcher));
  invocation.output.Print(
      {.text = [&] { return HostedServicesText(services); },
       .json = [&] { return HostedServicesToJson(services); },
       .csv = [&] { return HostedServicesCsv(services); }});
  return ExitCode::kDone;
}

// Services by id, or by the name of their application.
Result<std::vector<HostedService>> ChooseServices(
    const StopFlags& flags, const std::vector<HostedService>& all) {
  if (flags.all) return all;
  std::vector<HostedService> chosen;
  for (const std::string& name : flags.services) {
    const size_t before = chosen.size();
    for (const HostedService& one : all) {
      if (one.id == name || one.order.app == name) chosen.push_back(one);
    }
    if (chosen.size() == before) {
      return NotFound("there is no service '" + name +
                      "'; see mete place list");
    }
  }
  return chosen;
}

Result<ExitCode> StopServices(Invocation& invocation, const StopFlags& flags,
                              const PlaceCommandDependencies& needs) {
  if (flags.services.empty() == !flags.all) {
    return InvalidInput("expected services to stop, or --all");
  }
  ASSIGN_OR_RETURN(ServiceHost * host, needs.host(flags.launcher));
  ASSIGN_OR_RETURN(std::vector<HostedService> all, host->List(invocation.stop));
  ASSIGN_OR_RETURN(std::vector<HostedService> chosen,
                   ChooseServices(flags, all));
  ExitCode code = ExitCode::kDone;
  for (const HostedService& one : chosen) {
    const std::string name = one.order.app + " (" + one.id + ")";
    Status stopped = host->Stop(one.id, invocation.stop);
    if (stopped.ok()) {
      invocation.console.Note("stopped " + name);
      continue;
    }
    if (invocation.stop.stop_requested()) return stopped.error();
    // The others are stopped all the same.
    invocation.console.Error("mete place stop: " + name + ": " +
                             stopped.error().message());
    code = ExitCode::kError;
  }
  return code;
}

void AddStop(Command place, Verbs& verbs,
             const Lazy<PlaceCommandDependencies>& dependencies) {
  auto flags = std::make_shared<StopFlags>();
  Command stop = place.Add("stop", "Stop services that mete place started",
                           "mete place stop lenet5");
  stop.Option("SERVICE", flags->services, "ID or app name");
  stop.Switch("--all", flags->all, "Stop all services");
  stop.Option("--launcher", flags->launcher,
              "kubernetes: services in the cluster")
      .Placeholder("NAME");
  verbs.push_back({.command = stop,
                   .run = [=](Invocation& invocation) -> Result<ExitCode> {
                     ASSIGN_OR_RETURN(PlaceCommandDependencies needs,
                                      dependencies());
                     return PlaceOrUsage(
                         invocation, StopServices(invocation, *flags, needs));
                   },
                   .interruptible = true});
}

// The process that keeps one service. Its terminal may close.
void AddKeep(Command place, Verbs& verbs,
             const Lazy<PlaceCommandDependencies>& dependencies) {
  auto id = std::make_shared<std::string>();
  Command keep = place.Add("keep", "Keep a service running (internal)",
                           "mete place keep a1");
  keep.Hide();
  keep.Option("ID", *id, "Of its record").Required();
  verbs.push_back(
      {.command = keep,
       .run = [=](Invocation& invocation) -> Result<ExitCode> {
         const HangupWatch hangup;
         ASSIGN_OR_RETURN(PlaceCommandDependencies needs, dependencies());
         ASSIGN_OR_RETURN(KeepServiceDependencies keeping, needs.keeping());
         RETURN_IF_ERROR(KeepService(*id, keeping, invocation.stop));
         return ExitCode::kDone;
       },
       .interruptible = true});
}

}  // namespace

void AddPlaceServices(Command place, Verbs& verbs,
                      const Lazy<PlaceCommandDependencies>& dependencies) {
  auto launcher = std::make_shared<std::string>("process");
  Command list = place.Add("list", "List services that mete place started",
                           "mete place list");
  list.Option("--launcher", *launcher, "kubernetes: services in the cluster")
      .Placeholder("NAME");
  verbs.push_back(
      {.command = list, .run = [=](Invocation& invocation) -> Result<ExitCode> {
         ASSIGN_OR_RETURN(PlaceCommandDependencies needs, dependencies());
         return PlaceOrUsage(invocation,
                             PrintServices(invocation, needs, *launcher));
       }});
  AddStop(place, verbs, dependencies);
  AddKeep(place, verbs, dependencies);
}

}  // namespace mete
