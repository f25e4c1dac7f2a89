// The controller: asks the sources, judges the rules, acts, and gives back.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "control/ask_sources.h"
#include "control/audit_log.h"
#include "control/held_changes.h"
#include "control/rule_reading.h"
#include "control/rule_state.h"
#include "control/slo_rules.h"
#include "ports/actuator.h"
#include "ports/notifier.h"
#include "support/clock.h"

namespace mete {

// What the loop works with; all of it must outlive the loop.
struct ControlDependencies {
  SeriesSources& sources;
  Actuator& actuator;
  Notifier& notifier;
  Clock& clock;
  // Gets every entry; writes it down and tells it.
  std::function<Status(const AuditEntry&)> record;
};

struct ControlMode {
  bool dry_run = true;
  bool keep = false;  // what was changed stays at the end
  std::filesystem::path state_file;
  double cores = 1;
};

// From one thread.
class ControlLoop {
 public:
  ControlLoop(const SloRules& rules, const ControlMode& mode,
              ControlDependencies dependencies);

  // The first call: gives back what a killed controller left. Fails when that
  // is not known.
  Status Recover();
  // Until `stop`; then gives back. Fails only when decisions cannot be written
  // down any more: nothing is done that is not on record.
  Status Run(std::stop_token stop);
  // One round.
  Status Round(std::stop_token stop);
  // Of a Run, or after the last Round.
  Status End();

 private:
  struct Watched {
    const SloRule& rule;
    RuleState state;
    std::string remark{};  // told last: why there is no reading
    std::string held{};    // told last: why a wish is not granted
  };

  void LookAtProcesses();
  Status JudgeRule(Watched& watched, const RuleReading& reading);
  Status Act(Watched& watched, const RuleReading& reading);
  Status ActOnce(Watched& watched, const ControlAction& action, bool first,
                 AuditEntry entry);
  Status Restore(Watched& watched, const RuleReading& reading);
  // What could not be given back before.
  Status RestoreLeftovers();
  Status RecordChange(AuditEntry entry, const ChangeResult& result);
  Status Notify(Watched& watched, const std::string& url, const Json& extra,
                AuditEntry entry);
  Status ReportSources(const std::vector<std::vector<SourceAnswer>>& answers);
  Status ReportMissing(Watched& watched, const RuleReading& reading);
  Status ReportDeliveries();
  bool CanDoMore(const SloRule& rule);
  AuditEntry Entry(const Watched& watched, const RuleReading& reading,
                   std::string decision) const;
  AuditEntry Plain(std::string decision) const;

  const SloRules& rules_;
  ControlMode mode_;
  ControlDependencies dependencies_;
  HeldChanges changes_;
  ActBudget budget_;
  std::deque<Watched> watched_;
  std::chrono::nanoseconds tried_left_{0};     // when RestoreLeftovers last did
  std::map<std::string, std::string> silent_;  // by source: what it failed with
};

}  // namespace mete
