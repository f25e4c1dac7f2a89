#include "adapters/host/linux_machine_probe.h"

#include <algorithm>
#include <array>

namespace mete {
namespace {

void Add(std::optional<Bytes>& sum, Bytes part) {
  sum = Bytes{sum.value_or(Bytes{}).count + part.count};
}

void AddNetwork(const std::vector<InterfaceBytes>& interfaces,
                MachineSample& sample) {
  // In a container no interface is physical; then all of them count.
  bool physical = std::ranges::any_of(interfaces, &InterfaceBytes::physical);
  for (const InterfaceBytes& one : interfaces) {
    if (physical && !one.physical) continue;
    Add(sample.network_received, one.received);
    Add(sample.network_sent, one.sent);
  }
}

std::optional<Seconds> StalledTime(const Pressure& pressure) {
  if (!pressure.some) return std::nullopt;
  return pressure.some->total;
}

}  // namespace

MachineSample LinuxMachineProbe::Read() {
  const std::chrono::nanoseconds now = clock_.Now();
  HostUsage usage = reader_.Read(now);
  MachineSample sample;
  for (const CoreTime& core : usage.cores) {
    sample.core_busy.push_back(
        {.core = core.core, .time = core.user + core.system});
  }
  sample.memory_used = usage.memory.used;
  sample.swap_used = usage.memory.swap_used;
  AddNetwork(usage.interfaces, sample);
  for (const BlockDevice& disk : usage.disks) {
    Add(sample.disk_read, disk.read);
    Add(sample.disk_written, disk.written);
  }
  sample.cpu_stalled = StalledTime(usage.pressure.cpu);
  sample.memory_stalled = StalledTime(usage.pressure.memory);
  sample.io_stalled = StalledTime(usage.pressure.io);
  for (const Temperature& sensor : usage.temperatures) {
    sample.hottest_celsius = std::max(
        sample.hottest_celsius.value_or(sensor.celsius), sensor.celsius);
  }
  double hertz = 0;
  for (const CoreFrequency& core : usage.frequencies) hertz += core.hz;
  if (!usage.frequencies.empty()) {
    sample.mean_hertz = hertz / static_cast<double>(usage.frequencies.size());
  }
  for (const PowerRail& rail : usage.rails) {
    sample.rails.push_back({.name = rail.source, .power = rail.power});
  }
  auto rail = WholeMachineRail(usage.rails, usage.batteries);
  sample.energy_joules = energy_.Add(
      usage.energy, rail ? std::optional(rail->power) : std::nullopt, now);
  if (!usage.energy.empty()) {
    sample.energy_source = "rapl";
  } else if (rail) {
    sample.energy_source = rail->source;
  }
  for (const auto& source : sources_.present) source->AddTo(sample);
  return sample;
}

}  // namespace mete
