#include "wiring/measure_dependencies.h"

#include "cli/run_entropy.h"
#include "describe/describe.h"
#include "domain/input_shapes.h"
#include "linux/confine.h"
#include "net/http_channel.h"
#include "ports/engine.h"
#include "ports/host.h"
#include "ports/image_reader.h"
#include "ports/launchers.h"
#include "ports/node_source.h"
#include "ports/run_store.h"
#include "ports/service_host.h"
#include "support/file.h"
#include "wiring/collect_dependencies.h"
#include "wiring/place_dependencies.h"

namespace mete {
namespace {

ApplicationDependencies MakeApplicationDependencies(System& system) {
  return {.clock = system.TheClock(),
          .host = system.ThisHost(),
          .launchers = system.TheLaunchers(),
          .new_machine_probe = [&system] { return system.NewMachineProbe(); },
          .listen =
              [&system](const ListenRequest& request, AppEventSink& sink) {
                return system.Listen(request, sink);
              },
          .draw_entropy = DrawRunEntropy,
          .networks = system.Networks(),
          .torch = system.Torch()};
}

}  // namespace

Result<MeasureNetworkDependencies> ForNetworks(System& system) {
  ASSIGN_OR_RETURN(RunStore * runs, system.Store());
  return MeasureNetworkDependencies{
      .runs = *runs,
      .open_engine = [&system] { return system.TheEngine(); },
      .host = system.ThisHost(),
      .images = system.Images(),
      .clock = system.TheClock(),
      .draw_entropy = DrawRunEntropy,
      .start_self =
          [&system](const std::vector<std::string>& arguments) {
            return system.StartSelf(arguments);
          },
      .suggest_length =
          [&system](const std::filesystem::path& network) {
            auto read = system.Reader().Read(network);
            return read.ok() ? SuggestLength(*read) : kExampleLength;
          },
      .check = system.Networks().check};
}

Result<MeasureApplicationDependencies> ForApplications(System& system) {
  ASSIGN_OR_RETURN(RunStore * runs, system.Store());
  return MeasureApplicationDependencies{
      .runs = *runs,
      .platform = MakeApplicationDependencies(system),
      .torch = system.Torch(),
      .runs_folder = system.RunsFolder()};
}

Result<ObserveDependencies> ForServices(System& system) {
  ASSIGN_OR_RETURN(MeasureApplicationDependencies measure,
                   ForApplications(system));
  return ObserveDependencies{.measure = measure,
                             .attach = [&system](const AttachTarget& target) {
                               return system.Attach(target);
                             }};
}

Result<SessionDependencies> ForSessions(System& system) {
  ASSIGN_OR_RETURN(RunStore * runs, system.Store());
  return SessionDependencies{.runs = *runs,
                             .platform = MakeApplicationDependencies(system)};
}

Result<SweepDependencies> ForSweeps(System& system) {
  ASSIGN_OR_RETURN(RunStore * runs, system.Store());
  ASSIGN_OR_RETURN(SweepStore * sweeps, system.Sweeps());
  return SweepDependencies{.runs = *runs,
                           .sweeps = *sweeps,
                           .reader = system.Reader(),
                           .page_cache = system.ThePageCache(),
                           .platform = MakeApplicationDependencies(system),
                           .torch = system.Torch(),
                           .program = OwnProgram(),
                           .runs_folder = system.RunsFolder(),
                           .suggest_length = &SuggestLength};
}

Result<JobsDependencies> ForJobs(System& system) {
  ASSIGN_OR_RETURN(JobStore * jobs, system.Jobs());
  return JobsDependencies{.jobs = *jobs,
                          .host = system.ThisHost(),
                          .clock = system.TheClock(),
                          .open_runs = [&system] { return system.Store(); },
                          .draw_entropy = DrawRunEntropy,
                          .check_network = system.Networks().check};
}

Result<WorkOffDependencies> ForWorkers(System& system) {
  ASSIGN_OR_RETURN(JobStore * jobs, system.Jobs());
  ASSIGN_OR_RETURN(RunStore * runs, system.Store());
  return WorkOffDependencies{
      .ports = {.jobs = *jobs,
                .runs = *runs,
                .platform = MakeApplicationDependencies(system)},
      .runs_folder = system.RunsFolder()};
}

Result<ServeDependencies> ForServer(System& system) {
  ASSIGN_OR_RETURN(JobStore * jobs, system.Jobs());
  ASSIGN_OR_RETURN(RunStore * runs, system.ServedRuns());
  ASSIGN_OR_RETURN(NodeSource * nodes, system.Nodes());
  ASSIGN_OR_RETURN(const std::string device, system.ThisHost().DeviceId());
  return ServeDependencies{
      .jobs = *jobs,
      .runs = *runs,
      .host = system.ThisHost(),
      .clock = system.TheClock(),
      .nodes = *nodes,
      .reader = system.Reader(),
      .read_predictors = [&system] { return system.Predictors(); },
      .draw_entropy = DrawRunEntropy,
      .worker = [&system] { return ForWorkers(system); },
      .open_controller =
          [&system](ControllerRequest request) {
            return Controller::Open(std::move(request), ForController(system));
          },
      .state_folder = system.state_folder(),
      .program = OwnProgram(),
      .machine = ForThisMachine(system),
      .services = OpenServiceHost(system),
      .local_places = [&system,
                       here = device]() -> Result<std::vector<LocalPlace>> {
        ASSIGN_OR_RETURN(std::unique_ptr<RunStore> store, system.NewRunStore());
        return FindLocalPlaces(*store, here);
      }};
}

ServiceCommandDependencies ForServing(System& system) {
  return {.open_engine = [&system] { return system.TheEngine(); },
          .writer = system.Writer(),
          .images = system.Images(),
          .clock = system.TheClock(),
          .draw_entropy = DrawRunEntropy,
          .networks_folder = system.NetworksFolder()};
}

LoadCommandDependencies ForLoading(System& system) {
  return {
      .clock = system.TheClock(),
      .host = system.ThisHost(),
      .open_channel = [&system] { return OpenHttpChannel(system.TheClock()); },
      .services = {.start_self =
                       [&system](const std::vector<std::string>& arguments) {
                         return system.StartSelf(arguments);
                       },
                   .clock = system.TheClock()}};
}

BenchDependencies ForBenches(System& system) {
  return {.open_engine = [&system] { return system.TheEngine(); },
          .host = system.ThisHost(),
          .images = system.Images(),
          .clock = system.TheClock(),
          .reader = system.Reader(),
          .confine = &ConfineThisProcess};
}

}  // namespace mete
