// What `mete sweep` asks a person who gave it no words. Pure: it speaks to a
// Dialogue and starts nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/dialogue.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// What the machine has: nothing beyond can be a limit.
struct SweepMachine {
  Bytes memory;
  Millicores cpus;
};

// The answers, as flags would give them.
struct SweepWishes {
  std::string network;                // an ONNX file; empty: a command
  std::vector<std::string> command;   // after "--"
  std::optional<std::string> memory;  // "512Mi:32Mi"
  std::optional<std::string> cpus;    // "1:0.1:0.1"
  bool bisect = false;
};

// The words that say the same without questions, "mete" first.
std::vector<std::string> MakeArguments(const SweepWishes& wishes);

// Asks until every answer will do, then whether to start. Fails with
// kInterrupted when the answers end early or it is not to be started, and with
// what `find_torch` says where a reference network is chosen.
Result<SweepWishes> AskForSweep(Dialogue& dialogue, const SweepMachine& machine,
                                const std::function<Status()>& find_torch);

}  // namespace mete
