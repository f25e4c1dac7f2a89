#include "doctor/machine_findings.h"

#include <fmt/format.h>

#include <algorithm>

#include "linux/cgroup_facts.h"
#include "linux/cpu_facts.h"
#include "linux/gpu_facts.h"
#include "linux/machine_facts.h"
#include "support/units.h"

namespace mete {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string LayoutName(CgroupLayout layout) {
  switch (layout) {
    case CgroupLayout::kV1:
      return "cgroup v1";
    case CgroupLayout::kV2:
      return "cgroup v2";
    case CgroupLayout::kHybrid:
      return "cgroup v1 and v2 side by side";
    case CgroupLayout::kNone:
      break;
  }
  return "none";
}

std::string CgroupAdvice(CgroupLayout layout) {
  if (layout == CgroupLayout::kV1 || layout == CgroupLayout::kHybrid) {
    return "run limited workloads as root, or boot with "
           "systemd.unified_cgroup_hierarchy=1 for cgroup v2";
  }
  return "start mete with systemd-run --user --scope -p Delegate=yes, or run "
         "limited workloads as root";
}

// Sweeps need limits on memory and on CPU time.
std::vector<std::string> MissingControllers(const CgroupFacts& cgroups) {
  std::vector<std::string> missing;
  for (const char* name : {"cpu", "memory"}) {
    if (cgroups.Find(name) == nullptr) missing.emplace_back(name);
  }
  return missing;
}

bool IsNvidia(const std::string& gpu) {
  return gpu.compare(0, 6, "NVIDIA") == 0;
}

bool IsTegra(const SystemRoot& root) {
  auto compatible = root.Text("/proc/device-tree/compatible");
  return compatible.ok() &&
         compatible->find("nvidia,tegra") != std::string::npos;
}

// The nearest existing folder above a file.
std::filesystem::path NearestFolder(const SystemRoot& root,
                                    std::filesystem::path file) {
  while (file.has_relative_path()) {
    file = file.parent_path();
    if (!file.empty() && root.Exists(file)) return file;
  }
  return file.empty() ? "." : file;
}

}  // namespace

Finding FindSystem(const SystemRoot& root) {
  std::string os = ReadOsName(root);
  std::string kernel =
      root.Line("/proc/sys/kernel/osrelease").value_or("unknown");
  std::string board = ReadBoard(root);
  return {
      .subject = "system",
      .seen = fmt::format("{}, kernel {}{}", os.empty() ? "unnamed Linux" : os,
                          kernel, board.empty() ? "" : ", on " + board)};
}

Finding FindProcessor(const SystemRoot& root, int cores) {
  std::string name = ReadCpuModel(root);
  Finding finding{.subject = "processor",
                  .seen = name.empty() ? "unnamed processor" : name};
  if (cores > 0) {
    finding.seen += ", " + Counted(static_cast<uint64_t>(cores), "usable core");
  }
  auto limit = ReadCpuLimit(root, ReadCgroups(root));
  if (limit && (cores == 0 || limit->count < 1000 * int64_t{cores})) {
    finding.state = FindingState::kLimited;
    finding.seen += fmt::format(", limited to {:g} by the cgroup",
                                static_cast<double>(limit->count) / 1000);
    finding.advice =
        "measure outside the container, or use no more threads than whole "
        "cores in the limit";
    return finding;
  }
  auto governor = ReadGovernor(root);
  if (governor && *governor != "performance") {
    finding.state = FindingState::kLimited;
    finding.seen += ", frequency governor " + *governor;
    finding.advice =
        "for stable measurements: cpupower frequency-set -g performance (as "
        "root)";
  }
  return finding;
}

Finding FindCgroups(const SystemRoot& root) {
  CgroupFacts cgroups = ReadCgroups(root);
  Finding finding{.subject = "cgroups"};
  if (cgroups.layout == CgroupLayout::kNone) {
    finding.state = FindingState::kMissing;
    finding.seen = "no cgroups are mounted";
    finding.advice =
        "limits cannot be enforced here; mount cgroup2 on /sys/fs/cgroup (as "
        "root)";
    return finding;
  }
  std::vector<std::string> writable;
  for (const CgroupController& controller : cgroups.controllers) {
    if (controller.writable) writable.push_back(controller.name);
  }
  finding.seen =
      fmt::format("{}, writable: {}", LayoutName(cgroups.layout),
                  writable.empty() ? "no controller" : Joined(writable));
  std::vector<std::string> missing = MissingControllers(cgroups);
  if (!missing.empty()) {
    finding.state = FindingState::kLimited;
    finding.seen += "; the kernel offers no " + Joined(missing);
    finding.advice =
        "add cgroup_enable=memory cgroup_memory=1 to the kernel command line "
        "(on a Raspberry Pi: /boot/cmdline.txt), or delegate the controller "
        "to this user";
    return finding;
  }
  if (!cgroups.Find("cpu")->writable || !cgroups.Find("memory")->writable) {
    finding.state = FindingState::kLimited;
    finding.advice = CgroupAdvice(cgroups.layout);
  }
  return finding;
}

Finding FindPerfCounters(const SystemRoot& root, SystemProbes& probes) {
  Finding finding{.subject = "perf counters"};
  auto paranoia = ReadPerfParanoia(root);
  std::string level = paranoia
                          ? fmt::format("perf_event_paranoid is {}", *paranoia)
                          : "no perf_event_paranoid";
  Status tried = probes.TryPerfCounter();
  if (tried.ok()) {
    finding.seen = "hardware counters work; " + level;
    return finding;
  }
  finding.state = FindingState::kMissing;
  finding.seen = tried.error().message() + "; " + level;
  if (tried.error().code() == ErrorCode::kPermissionDenied) {
    finding.advice =
        "sysctl kernel.perf_event_paranoid=2 (as root), or grant "
        "CAP_PERFMON";
  } else {
    finding.advice =
        "run on the physical machine, or give the virtual machine "
        "a virtual PMU";
  }
  return finding;
}

Finding FindRapl(const SystemRoot& root) {
  Finding finding{.subject = "RAPL energy"};
  std::vector<std::string> readable;
  std::vector<RaplDomain> domains = ReadRapl(root);
  for (const RaplDomain& domain : domains) {
    if (domain.readable) readable.push_back(domain.name);
  }
  if (domains.empty()) {
    finding.state = FindingState::kMissing;
    finding.seen = "no counter under /sys/class/powercap";
    finding.advice =
        "needs a physical Intel or AMD processor; try modprobe "
        "intel_rapl_msr (as root)";
  } else if (readable.empty()) {
    finding.state = FindingState::kLimited;
    finding.seen = "energy counters exist but are not readable";
    finding.advice =
        "chmod a+r /sys/class/powercap/*/energy_uj (as root; a "
        "security risk if untrusted users share this machine)";
  } else {
    finding.seen = "readable: " + Joined(readable);
  }
  return finding;
}

Finding FindNvidia(const SystemRoot& root, SystemProbes& probes) {
  Finding finding{.subject = "NVML"};
  std::vector<std::string> gpus = ReadGpus(root);
  bool present = std::any_of(gpus.begin(), gpus.end(), IsNvidia);
  auto answer = probes.AskNvidia();
  if (answer.ok()) {
    finding.seen = fmt::format("driver {}, {}", answer->driver,
                               Counted(answer->devices, "device"));
    return finding;
  }
  finding.state = FindingState::kMissing;
  finding.seen = answer.error().message();
  if (IsTegra(root)) {
    finding.advice =
        "this Jetson's integrated GPU has no NVML; tegrastats "
        "reports its load";
  } else if (present) {
    finding.advice =
        "install NVIDIA's driver; inside a container, pass the "
        "GPU through with --gpus all";
  } else {
    finding.advice = "nothing to do: no NVIDIA GPU was found";
  }
  return finding;
}

Finding FindStore(const SystemRoot& root, const std::filesystem::path& store) {
  Finding finding{.subject = "store"};
  if (root.Exists(store)) {
    finding.seen = store.string() + " exists";
    if (root.Writable(store) && root.Writable(NearestFolder(root, store))) {
      finding.seen += " and is writable";
      return finding;
    }
    finding.state = FindingState::kMissing;
    finding.seen += " but it or its folder is not writable";
  } else {
    std::filesystem::path folder = NearestFolder(root, store);
    if (root.Writable(folder)) {
      finding.seen = store.string() + " will be created on first use";
      return finding;
    }
    finding.state = FindingState::kMissing;
    finding.seen = fmt::format("{} cannot be created: {} is not writable",
                               store.string(), folder.string());
  }
  finding.advice = "choose another file with --store sqlite:PATH or METE_STORE";
  return finding;
}

}  // namespace mete
