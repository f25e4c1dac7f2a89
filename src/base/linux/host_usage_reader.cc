#include "linux/host_usage_reader.h"

namespace mete {
namespace {

// A search costs about as much as ten readings.
constexpr std::chrono::seconds kLookAroundEvery{5};

}  // namespace

HostUsageReader::HostUsageReader(SystemRoot root)
    : root_(std::move(root)),
      stat_(root_, "/proc/stat"),
      meminfo_(root_, "/proc/meminfo"),
      cpu_pressure_(root_, "/proc/pressure/cpu"),
      memory_pressure_(root_, "/proc/pressure/memory"),
      io_pressure_(root_, "/proc/pressure/io"),
      interfaces_(root_),
      disks_(root_),
      energy_(FindEnergyMeters(root_)) {}

void HostUsageReader::FindSources() {
  interfaces_.Forget();
  disks_.Forget();
  clocks_ = FindCoreClocks(root_);
  thermometers_ = FindThermometers(root_);
  // Keep counters that were found open: only root may open them, and this
  // process may have dropped its privileges since.
  if (energy_.empty()) energy_ = FindEnergyMeters(root_);
  rails_ = FindPowerMeters(root_);
  batteries_ = FindBatteries(root_);
}

std::vector<BlockDevice> HostUsageReader::ReadStorage() {
  std::vector<BlockDevice> disks = disks_.Read();
  std::erase_if(disks, [](const BlockDevice& disk) { return !disk.storage; });
  return disks;
}

HostUsage HostUsageReader::Read(std::chrono::nanoseconds now) {
  if (!found_at_ || now - *found_at_ >= kLookAroundEvery) {
    FindSources();
    found_at_ = now;
  }
  return {.cores = ParseCoreTimes(stat_.TextOrNone()),
          .memory = ParseHostMemory(meminfo_.TextOrNone()),
          .interfaces = interfaces_.Read(),
          .disks = ReadStorage(),
          .pressure = {.cpu = ParsePressure(cpu_pressure_.TextOrNone()),
                       .memory = ParsePressure(memory_pressure_.TextOrNone()),
                       .io = ParsePressure(io_pressure_.TextOrNone())},
          .frequencies = ReadFrequencies(clocks_),
          .temperatures = ReadTemperatures(thermometers_),
          .energy = ReadEnergyCounters(energy_),
          .rails = ReadPowerRails(rails_),
          .batteries = ReadBatteries(batteries_)};
}

}  // namespace mete
