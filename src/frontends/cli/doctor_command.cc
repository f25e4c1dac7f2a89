// mete doctor: checks what works on this machine and how to fix the rest.
#include "cli/doctor_command.h"

#include "doctor/diagnose.h"
#include "support/json.h"

namespace mete {
namespace {

Finding EngineFinding(const Result<Engine*>& engine) {
  Finding finding{.subject = "ONNX Runtime"};
  if (engine.ok()) {
    EngineVersion version = (*engine)->version();
    finding.seen = version.name + " " + version.version;
    return finding;
  }
  finding.state = FindingState::kMissing;
  finding.seen = "no network can be measured: " + engine.error().message();
  finding.advice =
      "run ./dev build, install your system's libonnxruntime, or set "
      "METE_ONNXRUNTIME=/path/to/libonnxruntime.so";
  return finding;
}

// A server in the configuration file counts like one in the environment.
VariableLookup WithSettings(const Invocation& invocation) {
  return [&invocation](const std::string& name) -> std::optional<std::string> {
    const Setting& prometheus = invocation.settings.Get("prometheus.url");
    bool set = prometheus.origin != Origin::kDefault;
    if (name == "METE_PROMETHEUS" && set) return prometheus.value;
    return invocation.environment(name);
  };
}

// The file of a store URL: "sqlite:/var/lib/mete.db" -> "/var/lib/mete.db".
std::string StorePath(const std::string& url) {
  return url.substr(url.find(':') + 1);
}

Result<ExitCode> Examine(Invocation& invocation,
                         const DoctorDependencies& needs) {
  invocation.console.Progress("checking …");
  Result<DeviceFacts> facts = needs.host.Facts();
  std::vector<Finding> findings =
      Diagnose({.environment = WithSettings(invocation),
                .cores = facts.ok() ? facts->cores : 0,
                .store = StorePath(invocation.settings.Text("store")),
                .more = {EngineFinding(needs.open_engine())}},
               needs.probes);
  invocation.console.ClearProgress();
  invocation.output.Print({
      .text = [&] { return DoctorTable(findings); },
      .json = [&] { return DoctorToJson(findings); },
      .csv = [&] { return DoctorCsv(findings); },
  });
  return ExitCode::kDone;
}

}  // namespace

void AddDoctorCommand(Command root, Verbs& verbs,
                      Lazy<DoctorDependencies> dependencies) {
  Command command = root.Add("doctor", "Check what works on this machine",
                             "mete doctor -o json");
  verbs.push_back(
      {.command = command,
       .run = [dependencies](Invocation& invocation) -> Result<ExitCode> {
         ASSIGN_OR_RETURN(DoctorDependencies needs, dependencies());
         return Examine(invocation, needs);
       }});
}

}  // namespace mete
