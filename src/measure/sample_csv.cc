#include "measure/sample_csv.h"

#include <fmt/format.h>

#include <optional>

namespace mete {
namespace {

std::string Cell(const std::optional<Seconds>& value) {
  return value ? fmt::format("{:.6f}", value->count()) : "";
}
std::string Cell(const std::optional<Bytes>& value) {
  return value ? std::to_string(value->count) : "";
}
std::string Cell(const std::optional<uint64_t>& value) {
  return value ? std::to_string(*value) : "";
}

// Cores in use on average between two samples.
std::string Cores(const UsageSample& before, const UsageSample& now) {
  Seconds time = now.at - before.at;
  if (!before.usage.cpu || !now.usage.cpu || time.count() <= 0) return "";
  Seconds used = *now.usage.cpu - *before.usage.cpu;
  return fmt::format("{:.4f}", used.count() / time.count());
}

std::string Cell(const std::optional<double>& value) {
  return value ? fmt::format("{:g}", *value) : "";
}

std::string MachineCores(const UsageSample& before, const UsageSample& now) {
  size_t cores = now.machine.core_busy.size();
  Seconds time = now.at - before.at;
  // A core that came or went makes the sums incomparable.
  if (before.machine.core_busy.size() != cores || cores == 0) return "";
  if (time.count() <= 0) return "";
  Seconds used{0};
  for (size_t i = 0; i < cores; ++i) {
    used += now.machine.core_busy[i] - before.machine.core_busy[i];
  }
  return fmt::format("{:.4f}", used.count() / time.count());
}

std::string MachineCells(const UsageSample& before, const UsageSample& now) {
  const MachineSample& machine = now.machine;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     MachineCores(before, now), Cell(machine.memory_used),
                     Cell(machine.network_received), Cell(machine.network_sent),
                     Cell(machine.disk_read), Cell(machine.disk_written),
                     Cell(machine.cpu_stalled), Cell(machine.memory_stalled),
                     Cell(machine.io_stalled), Cell(machine.hottest_celsius),
                     Cell(machine.mean_hertz), Cell(machine.energy_joules));
}

}  // namespace

std::string SamplesCsv(const std::vector<UsageSample>& samples) {
  std::string text =
      "time_seconds,cpu_seconds,cpu_cores,throttled_seconds,memory_bytes,"
      "swap_bytes,minor_faults,major_faults,read_bytes,written_bytes,"
      "processes,machine_cores,machine_memory_bytes,machine_received_bytes,"
      "machine_sent_bytes,machine_read_bytes,machine_written_bytes,"
      "cpu_stalled_seconds,memory_stalled_seconds,io_stalled_seconds,celsius,"
      "hertz,energy_joules\n";
  UsageSample before{.usage = {.cpu = Seconds(0)}};
  for (const UsageSample& sample : samples) {
    const ResourceUsage& usage = sample.usage;
    text += fmt::format(
        "{:.6f},{},{},{},{},{},{},{},{},{},{},", sample.at.count(),
        Cell(usage.cpu), Cores(before, sample), Cell(usage.throttled),
        Cell(usage.memory), Cell(usage.swap), Cell(usage.minor_faults),
        Cell(usage.major_faults), Cell(usage.disk_read),
        Cell(usage.disk_written), Cell(usage.processes));
    text += MachineCells(before, sample);
    before = sample;
  }
  return text;
}

}  // namespace mete
