// A controller with all it needs, for the command line and beside a server.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "control/control_loop.h"
#include "control/slo_rules.h"
#include "ports/actuator.h"
#include "ports/notifier.h"
#include "ports/series_source.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// What a controller works with. The clock must outlive it; the functions are
// only called while it is opened.
struct ControllerDependencies {
  using OpenSeries = std::function<Result<std::unique_ptr<SeriesSource>>(
      const std::string& url)>;
  OpenSeries open_agent;  // an agent or another exporter
  OpenSeries open_prometheus;
  std::function<std::unique_ptr<Actuator>()> new_actuator;
  std::function<std::unique_ptr<Notifier>()> new_notifier;
  Clock& clock;
};

// The sources the rules name. Fails when one of them cannot be meant, or will
// not understand the series of a rule.
Result<SeriesSources> OpenSources(const SloRules& rules,
                                  const ControllerDependencies& needs);

// Where decisions are written unless a file is named.
std::filesystem::path DefaultAuditFile(
    const std::filesystem::path& state_folder);

struct ControllerRequest {
  SloRules rules;
  std::filesystem::path audit;
  bool act = false;
  bool keep = false;
  // Gets every decision, after it was written down.
  std::function<void(const AuditEntry&)> report;
};

// From one thread, which may be another than the one that opened it.
class Controller {
 public:
  // Fails with kUnavailable when another controller has the audit log.
  static Result<std::unique_ptr<Controller>> Open(
      ControllerRequest request, const ControllerDependencies& needs);
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Restores what a killed controller left changed, then works until `stop`.
  Status Run(std::stop_token stop);

 private:
  Controller(ControllerRequest request, AuditLog audit, SeriesSources sources,
             const ControllerDependencies& needs);

  ControllerRequest request_;
  AuditLog audit_;
  SeriesSources sources_;
  std::unique_ptr<Actuator> actuator_;
  std::unique_ptr<Notifier> notifier_;
  ControlLoop loop_;
};

}  // namespace mete
