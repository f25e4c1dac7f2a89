// The control loop: reads the series, evaluates the rules, acts on violations,
// and restores limits afterwards.
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

// The dependencies of the loop. All of them must outlive it.
struct ControlDependencies {
  SeriesSources& sources;
  Actuator& actuator;
  Notifier& notifier;
  Clock& clock;
  // Called with every entry, to write it to the audit log and to report it.
  std::function<Status(const AuditEntry&)> record;
};

// How the loop acts.
struct ControlMode {
  bool dry_run = true;
  bool keep = false;  // do not restore changed limits at the end
  std::filesystem::path state_file;
  double cores = 1;
};

// Evaluates the rules once per interval and carries out their actions. Use it
// from one thread.
class ControlLoop {
 public:
  ControlLoop(const SloRules& rules, const ControlMode& mode,
              ControlDependencies dependencies);

  // Restores what a killed controller left changed. Call it first. Fails when
  // the state file cannot be read.
  Status Recover();
  // Runs until `stop` is requested, then restores everything. Fails only when
  // decisions can no longer be recorded: nothing is done without a record.
  Status Run(std::stop_token stop);
  // Reads and evaluates all rules once.
  Status Round(std::stop_token stop);
  // Restores everything. Run calls it; otherwise call it after the last Round.
  Status End();

 private:
  // A rule with its state and what was last reported about it.
  struct Watched {
    const SloRule& rule;
    RuleState state;
    std::string remark{};  // last reported reason for a missing reading
    std::string held{};    // last reported reason for holding an action back
  };

  void LookAtProcesses();
  Status JudgeRule(Watched& watched, const RuleReading& reading);
  Status Act(Watched& watched, const RuleReading& reading);
  Status ActOnce(Watched& watched, const ControlAction& action, bool first,
                 AuditEntry entry);
  Status Restore(Watched& watched, const RuleReading& reading);
  // Retries what could not be restored before.
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
  std::chrono::nanoseconds tried_left_{0};     // last call of RestoreLeftovers
  std::map<std::string, std::string> silent_;  // last error by source
};

}  // namespace mete
