// What to run and how, as a person described it. Flags, a session file and a
// stored job all become this.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/container.h"
#include "domain/run.h"
#include "support/result.h"

namespace mete {

// What is looked at beside the application's own usage.
struct ProbeChoice {
  bool machine = true;  // everybody's use of the machine, energy, temperature
  bool hooks = true;    // what the application tells about itself
  // Probes that are there on few machines, whose absence is to be explained.
  std::vector<std::string> required{};
};

// "machine", "hooks", and what may be wanted: "perf", "gpu", "tegrastats".
// Fails with the nearest spelling for anything else.
Status AddProbe(const std::string& name, ProbeChoice& probes);

struct ApplicationSpec {
  std::string name;  // in tables and reports; empty: the program's or image's
  // Program and arguments; in a container what follows its entry point.
  std::vector<std::string> command;
  std::optional<ContainerSettings> container;  // absent: a process
  PullPolicy pull = PullPolicy::kMissing;
  std::map<std::string, std::string> environment;
  std::filesystem::path folder;   // to start in
  std::filesystem::path dataset;  // shown as METE_DATASET; empty: none
  std::string instructions;       // for people, shown in the report
  Limits limits;
  std::optional<Seconds> timeout;
  Seconds grace{5};
  uint64_t repeat = 1;
  double sample_hertz = 10;
  ProbeChoice probes;
};

// How people call it: its name, else the image, else the program's file name.
std::string DisplayName(const ApplicationSpec& spec);

// "missing", "always", "never".
std::string_view ToString(PullPolicy policy);
Result<PullPolicy> ParsePullPolicy(const std::string& word);

// "NAME=VALUE".
Result<std::pair<std::string, std::string>> ParseVariable(
    const std::string& text);

}  // namespace mete
