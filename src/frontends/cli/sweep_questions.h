// The interactive prompt of `mete sweep` without arguments. It only talks to a
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

// The resources of the machine. No limit can exceed them.
struct SweepMachine {
  Bytes memory;
  Millicores cpus;
};

// The answers, in the format of the flags.
struct SweepWishes {
  std::string network;                // an ONNX file; empty: a command
  std::string image;                  // a container image; empty: none
  std::vector<std::string> command;   // after "--"
  std::optional<std::string> memory;  // "512Mi:32Mi"
  std::optional<std::string> cpus;    // "1:0.1:0.1"
  bool bisect = false;
};

// Returns the equivalent command line, starting with "mete".
std::vector<std::string> MakeArguments(const SweepWishes& wishes);

// Repeats each question until the answer is valid, then asks whether to start.
// Fails with kInterrupted if the dialogue ends early or the person declines,
// and with the error of `find_torch` if a reference network is chosen without
// it.
Result<SweepWishes> AskForSweep(Dialogue& dialogue, const SweepMachine& machine,
                                const std::function<Status()>& find_torch);

}  // namespace mete
