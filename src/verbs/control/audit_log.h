// Every decision of the controller with the evidence it was made on: one line
// of JSON each, in the file as soon as it is made.
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

// What a decision rests on.
struct DecisionEvidence {
  std::vector<SeriesEvidence> series;  // the worst first
  Seconds lasted{0};                   // of the phase, with its readings
  Stretch stretch;
};

struct AuditEntry {
  std::chrono::system_clock::time_point time;
  std::string rule;      // empty: not about one
  std::string decision;  // "state", "act", "give back", "hold", "source", …
  std::string before;    // phases
  std::string after;
  std::string objective;
  Threshold::Unit unit = Threshold::Unit::kNumber;
  std::optional<DecisionEvidence> evidence;
  std::string action;  // "limit"
  std::string target;  // "process hog"
  std::string knob;    // "cpus"
  // Of the knob; only meaningful with one. Absent: no limit.
  std::optional<double> from;
  std::optional<double> to;
  bool dry_run = true;
  std::string result;  // "done", "failed", "would", "sent", …
  std::string remark;
  std::string error;
};

Json AuditEntryToJson(const AuditEntry& entry);
// One line for a person, without the time.
std::string AuditEntryText(const AuditEntry& entry);

// Appends. Holds a lock beside the file, so that no second controller works on
// the same changes. From one thread.
class AuditLog {
 public:
  // Fails with kUnavailable when another controller has it.
  static Result<AuditLog> Open(const std::filesystem::path& file);

  // Fails when the disk is full; the line may be torn then.
  Status Write(const AuditEntry& entry);

 private:
  AuditLog(Descriptor file, Descriptor lock)
      : file_(std::move(file)), lock_(std::move(lock)) {}

  Descriptor file_;
  Descriptor lock_;
};

}  // namespace mete
