// The controller's audit log: every decision with its evidence, one line of
// JSON each, written as soon as the decision is made.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "control/rule_reading.h"
#include "control/rule_state.h"
#include "support/descriptor.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// The evidence for a decision.
struct DecisionEvidence {
  std::vector<SeriesEvidence> series;  // worst first
  Seconds lasted{0};                   // time that the readings cover
  Stretch stretch;
};

// One decision of the controller.
struct AuditEntry {
  std::chrono::system_clock::time_point time;
  std::string rule;      // empty: not about a single rule
  std::string decision;  // "state", "act", "give back", "hold", "source", …
  std::string before;    // phase before the decision
  std::string after;     // phase after it
  std::string objective;
  Threshold::Unit unit = Threshold::Unit::kNumber;
  std::optional<DecisionEvidence> evidence;
  std::string action;  // "limit"
  std::string target;  // "process hog"
  std::string knob;    // "cpus"
  // Values of the knob, meaningful only if `knob` is set. Absent: no limit.
  std::optional<double> from;
  std::optional<double> to;
  bool dry_run = true;
  std::string result;  // "done", "failed", "would", "sent", …
  std::string remark;
  std::string error;
};

Json AuditEntryToJson(const AuditEntry& entry);
// One line of text for people, without the time.
std::string AuditEntryText(const AuditEntry& entry);

// Appends to the file. Holds a lock beside the file, so that no second
// controller works on the same changes. Use it from one thread.
class AuditLog {
 public:
  // Fails with kUnavailable when another controller holds the lock.
  static Result<AuditLog> Open(const std::filesystem::path& file);

  // Fails when the disk is full, for example. The line may then be incomplete.
  Status Write(const AuditEntry& entry);

 private:
  AuditLog(Descriptor file, Descriptor lock)
      : file_(std::move(file)), lock_(std::move(lock)) {}

  Descriptor file_;
  Descriptor lock_;
};

}  // namespace mete
