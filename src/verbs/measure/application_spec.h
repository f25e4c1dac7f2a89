// Describes an application to run and how to run it. Flags, session files and
// stored jobs are all converted to it.
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
#include "measure/network_options.h"
#include "support/result.h"

namespace mete {

// Selects what to observe in addition to the application's own usage.
struct ProbeChoice {
  bool machine = true;  // machine-wide usage, energy, temperature
  bool hooks = true;    // metrics the application reports itself
  // Probes that only some machines have. If one is missing, mete explains why.
  std::vector<std::string> required{};
};

// Accepts "machine", "hooks", "perf", "gpu" and "tegrastats". Fails for any
// other name and suggests the nearest one.
Status AddProbe(const std::string& name, ProbeChoice& probes);

// An application: a command, a container or a network, its limits and how often
// to run it.
struct ApplicationSpec {
  // For tables and reports; empty: program, image or network.
  std::string name;
  // Program and arguments. In a container: the arguments of its entry point.
  std::vector<std::string> command;
  std::optional<ContainerSettings> container;  // absent: a plain process
  // Absent: a command or a container. Present: `command` is empty.
  std::optional<NetworkOptions> network{};
  PullPolicy pull = PullPolicy::kMissing;
  // What runs the image: "kubernetes"; empty: the container engine here.
  std::string launcher{};
  std::string node{};  // of a cluster; empty: its scheduler decides
  // Of a session: "all" or "a,b" measures on each of these nodes, as
  // applications of their own. Never set together with `node`.
  std::string nodes{};
  std::map<std::string, std::string> environment;
  std::filesystem::path folder;   // working directory
  std::filesystem::path dataset;  // passed as METE_DATASET; empty: none
  std::string instructions;       // for people, shown in the report
  Limits limits;
  std::optional<Seconds> timeout;
  Seconds grace{5};
  uint64_t repeat = 1;
  double sample_hertz = 10;
  ProbeChoice probes;
};

// The name to display: `name`, else the image, else the file name of the
// network (without .onnx) or of the program.
std::string DisplayName(const ApplicationSpec& spec);

// The only launcher that is chosen by name.
inline constexpr const char* kKubernetesLauncher = "kubernetes";
// Fails for any other name.
Result<std::string> ParseLauncher(const std::string& name);

// "missing", "always", "never".
std::string_view ToString(PullPolicy policy);
Result<PullPolicy> ParsePullPolicy(const std::string& word);

// "NAME=VALUE".
Result<std::pair<std::string, std::string>> ParseVariable(
    const std::string& text);

}  // namespace mete
