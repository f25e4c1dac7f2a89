// A controller with all it needs, for mete control and mete serve.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "cli/services.h"
#include "config/settings.h"
#include "control/control_loop.h"

namespace mete {

// The sources the rules name. Fails when one of them cannot be meant, or will
// not understand the series of a rule.
Result<SeriesSources> OpenSources(const SloRules& rules, Services& services);

// Where decisions are written unless a file is named.
std::filesystem::path DefaultAuditFile(const Settings& settings);

struct ControllerRequest {
  SloRules rules;
  std::filesystem::path audit;
  bool act = false;
  bool keep = false;
  // Gets every decision, after it was written down.
  std::function<void(const AuditEntry&)> tell;
};

// From one thread, which may be another than the one that opened it.
class Controller {
 public:
  // Fails with kUnavailable when another controller has the audit log.
  static Result<std::unique_ptr<Controller>> Open(ControllerRequest request,
                                                  Services& services);
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  // Gives back what a killed one left, then works until `stop`.
  Status Run(std::stop_token stop);

 private:
  Controller(ControllerRequest request, AuditLog audit, SeriesSources sources,
             Services& services);

  ControllerRequest request_;
  AuditLog audit_;
  SeriesSources sources_;
  std::unique_ptr<Actuator> actuator_;
  std::unique_ptr<Notifier> notifier_;
  ControlLoop loop_;
};

}  // namespace mete
