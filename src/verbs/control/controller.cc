#include "control/controller.h"

#include <algorithm>
#include <thread>

namespace mete {

Result<SeriesSources> OpenSources(const SloRules& rules,
                                  const ControllerDependencies& needs) {
  SeriesSources sources;
  for (const std::string& agent : rules.agents) {
    ASSIGN_OR_RETURN(auto source, needs.open_agent(agent));
    sources.push_back(std::move(source));
  }
  if (!rules.prometheus.empty()) {
    ASSIGN_OR_RETURN(auto source, needs.open_prometheus(rules.prometheus));
    sources.push_back(std::move(source));
  }
  RETURN_IF_ERROR(CheckSelectors(rules, sources));
  return sources;
}

std::filesystem::path DefaultAuditFile(
    const std::filesystem::path& state_folder) {
  return state_folder / "control" / "audit.jsonl";
}

Result<std::unique_ptr<Controller>> Controller::Open(
    ControllerRequest request, const ControllerDependencies& needs) {
  ASSIGN_OR_RETURN(SeriesSources sources, OpenSources(request.rules, needs));
  ASSIGN_OR_RETURN(AuditLog audit, AuditLog::Open(request.audit));
  return std::unique_ptr<Controller>(new Controller(
      std::move(request), std::move(audit), std::move(sources), needs));
}

Controller::Controller(ControllerRequest request, AuditLog audit,
                       SeriesSources sources,
                       const ControllerDependencies& needs)
    : request_(std::move(request)),
      audit_(std::move(audit)),
      sources_(std::move(sources)),
      actuator_(needs.new_actuator()),
      notifier_(needs.new_notifier()),
      loop_(request_.rules,
            {.dry_run = !request_.act,
             .keep = request_.keep,
             .state_file = request_.audit.string() + ".state",
             .cores = std::max(1.0, static_cast<double>(
                                        std::thread::hardware_concurrency()))},
            {.sources = sources_,
             .actuator = *actuator_,
             .notifier = *notifier_,
             .clock = needs.clock,
             .record = [this](const AuditEntry& entry) -> Status {
               RETURN_IF_ERROR(audit_.Write(entry));
               request_.report(entry);
               return {};
             }}) {}

Status Controller::Run(std::stop_token stop) {
  RETURN_IF_ERROR(loop_.Recover());
  return loop_.Run(std::move(stop));
}

}  // namespace mete
