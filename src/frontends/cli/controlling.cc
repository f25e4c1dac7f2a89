#include "cli/controlling.h"

#include <algorithm>
#include <thread>

namespace mete {

Result<SeriesSources> OpenSources(const SloRules& rules, Services& services) {
  SeriesSources sources;
  for (const std::string& agent : rules.agents) {
    ASSIGN_OR_RETURN(auto source, services.AgentSeriesAt(agent));
    sources.push_back(std::move(source));
  }
  if (!rules.prometheus.empty()) {
    ASSIGN_OR_RETURN(auto source,
                     services.PrometheusSeriesAt(rules.prometheus));
    sources.push_back(std::move(source));
  }
  RETURN_IF_ERROR(CheckSelectors(rules, sources));
  return sources;
}

std::filesystem::path DefaultAuditFile(const Settings& settings) {
  return StateFolder(settings) / "control" / "audit.jsonl";
}

Result<std::unique_ptr<Controller>> Controller::Open(ControllerRequest request,
                                                     Services& services) {
  ASSIGN_OR_RETURN(SeriesSources sources, OpenSources(request.rules, services));
  ASSIGN_OR_RETURN(AuditLog audit, AuditLog::Open(request.audit));
  return std::unique_ptr<Controller>(new Controller(
      std::move(request), std::move(audit), std::move(sources), services));
}

Controller::Controller(ControllerRequest request, AuditLog audit,
                       SeriesSources sources, Services& services)
    : request_(std::move(request)),
      audit_(std::move(audit)),
      sources_(std::move(sources)),
      actuator_(services.NewActuator()),
      notifier_(services.NewNotifier()),
      loop_(request_.rules,
            {.dry_run = !request_.act,
             .keep = request_.keep,
             .state_file = request_.audit.string() + ".state",
             .cores = std::max(1.0, static_cast<double>(
                                        std::thread::hardware_concurrency()))},
            {.sources = sources_,
             .actuator = *actuator_,
             .notifier = *notifier_,
             .clock = services.TheClock(),
             .record = [this](const AuditEntry& entry) -> Status {
               RETURN_IF_ERROR(audit_.Write(entry));
               request_.tell(entry);
               return {};
             }}) {}

Status Controller::Run(std::stop_token stop) {
  RETURN_IF_ERROR(loop_.Recover());
  return loop_.Run(std::move(stop));
}

}  // namespace mete
