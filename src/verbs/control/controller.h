// A controller with everything it needs, for the command line and for the
// server.
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

// The dependencies of a controller. The clock must outlive it; the functions
// are called only by Open.
struct ControllerDependencies {
  using OpenSeries = std::function<Result<std::unique_ptr<SeriesSource>>(
      const std::string& url)>;
  OpenSeries open_agent;  // an agent or another exporter
  OpenSeries open_prometheus;
  std::function<std::unique_ptr<Actuator>()> new_actuator;
  std::function<std::unique_ptr<Notifier>()> new_notifier;
  Clock& clock;
};

// Opens the sources that the rules name. Fails when a URL is invalid or a
// source does not support a rule's selector.
Result<SeriesSources> OpenSources(const SloRules& rules,
                                  const ControllerDependencies& needs);

// The audit file used unless another one is named.
std::filesystem::path DefaultAuditFile(
    const std::filesystem::path& state_folder);

// The rules to enforce and how to enforce them.
struct ControllerRequest {
  SloRules rules;
  std::filesystem::path audit;
  bool act = false;
  bool keep = false;
  // Called with every decision after it was written to the audit log.
  std::function<void(const AuditEntry&)> report;
};

// Owns a control loop with its sources, actuator and audit log. Use it from one
// thread, which need not be the one that opened it.
class Controller {
 public:
  // Fails with kUnavailable when another controller holds the audit log.
  static Result<std::unique_ptr<Controller>> Open(
      ControllerRequest request, const ControllerDependencies& needs);
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Restores what a killed controller left changed, then runs until `stop`.
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
