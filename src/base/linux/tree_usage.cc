#include "linux/tree_usage.h"

#include <algorithm>

#include "linux/process_usage.h"

namespace mete {
namespace {

// A sum that stays absent until something is added.
template <typename Sum, typename Part>
void Add(std::optional<Sum>& sum, const std::optional<Part>& part) {
  if (part) sum = sum.value_or(Sum{}) + Sum(*part);
}

void AddBytes(std::optional<Bytes>& sum, const std::optional<Bytes>& part) {
  if (part) sum = Bytes{sum.value_or(Bytes{}).count + part->count};
}

// `left_out` counts only with what it waited for; 0: nothing is left out.
ResourceUsage SumTree(const SystemRoot& root, pid_t top, pid_t left_out) {
  ResourceUsage usage;
  uint64_t processes = 0;
  for (int pid : ProcessTree(root, top)) {
    ProcessUsage part = ReadProcessUsage(root, pid);
    Add(usage.cpu_user, part.reaped_user);
    Add(usage.cpu_system, part.reaped_system);
    AddBytes(usage.disk_read, part.read);  // with children it waited for
    AddBytes(usage.disk_written, part.written);
    if (pid == left_out) continue;
    Add(usage.cpu_user, part.user);
    Add(usage.cpu_system, part.system);
    AddBytes(usage.memory, part.resident);
    AddBytes(usage.memory_anonymous, part.resident_anonymous);
    AddBytes(usage.memory_file, part.resident_file);
    if (part.peak_resident) {
      usage.resident_peak =
          std::max(usage.resident_peak.value_or(Bytes{}), *part.peak_resident);
    }
    AddBytes(usage.swap, part.swap);
    Add(usage.minor_faults, part.minor_faults);
    Add(usage.major_faults, part.major_faults);
    ++processes;
  }
  if (usage.cpu_user && usage.cpu_system) {
    usage.cpu = *usage.cpu_user + *usage.cpu_system;
  }
  usage.processes = processes;
  return usage;
}

}  // namespace

ResourceUsage ReadTreeUsage(const SystemRoot& root, pid_t top) {
  return SumTree(root, top, 0);
}

ResourceUsage ReadUsageBelow(const SystemRoot& root, pid_t top) {
  return SumTree(root, top, top);
}

}  // namespace mete
