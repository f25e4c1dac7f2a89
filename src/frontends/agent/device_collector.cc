#include "agent/device_collector.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "agent/device_metrics.h"
#include "linux/numbers.h"

namespace mete {
namespace {

double Count(Bytes bytes) { return static_cast<double>(bytes.count); }

void AddIf(const MetricFamily& family, const MetricLabels& labels,
           const std::optional<Bytes>& bytes, MetricBatch& batch) {
  if (bytes) batch.Add(family, labels, Count(*bytes));
}

std::optional<double> BootTime(const SystemRoot& root) {
  auto seconds = FindCounter(root.TextOrNone("/proc/stat"), "btime");
  if (!seconds) return std::nullopt;
  return static_cast<double>(*seconds);
}

}  // namespace

DeviceCollector::DeviceCollector(DeviceIdentity identity,
                                 const SystemRoot& root, const Clock& clock)
    : identity_(std::move(identity)),
      clock_(clock),
      usage_(root),
      throttling_(root),
      loadavg_(root, "/proc/loadavg"),
      booted_(BootTime(root)) {}

MetricLabels DeviceCollector::Labels(
    std::initializer_list<std::pair<std::string_view, std::string_view>> more)
    const {
  MetricLabels labels{{"node", identity_.node}};
  for (const auto& [name, value] : more) labels.Add(name, value);
  return labels;
}

Status DeviceCollector::Collect(MetricBatch& batch) {
  const std::chrono::nanoseconds now = clock_.Now();
  HostUsage usage = usage_.Read(now);
  AddFacts(batch);
  AddCores(usage, batch);
  AddMemory(usage.memory, batch);
  AddTraffic(usage, batch);
  AddHeat(usage, batch);
  AddPower(usage, now, batch);
  AddPressure(usage.pressure, batch);
  AddLoad(batch);
  if (booted_) batch.Add(kDeviceBoot, Labels({}), *booted_);
  if (usage.cores.empty()) {
    return Unavailable("read /proc/stat: no cores found");
  }
  return {};
}

void DeviceCollector::AddFacts(MetricBatch& batch) const {
  const DeviceFacts& facts = identity_.facts;
  batch.Add(kDeviceInfo,
            Labels({{"uuid", identity_.uuid},
                    {"class", identity_.Class()},
                    {"kind", ToString(identity_.kind)},
                    {"architecture", facts.architecture},
                    {"cpu_model", facts.cpu_model},
                    {"board", facts.board},
                    {"os", facts.os},
                    {"kernel", facts.kernel},
                    {"emulated", "false"}}),
            1);
  batch.Add(kDeviceCores, Labels({}), facts.cores);
  if (facts.max_frequency_hz) {
    batch.Add(kDeviceMaxFrequency, Labels({}), *facts.max_frequency_hz);
  }
  batch.Add(kDeviceMemory, Labels({}), Count(facts.ram));
}

void DeviceCollector::AddCores(const HostUsage& usage,
                               MetricBatch& batch) const {
  for (const CoreTime& core : usage.cores) {
    const std::string number = std::to_string(core.core);
    const std::array<std::pair<const char*, std::chrono::nanoseconds>, 5>
        modes = {{{"user", core.user},
                  {"system", core.system},
                  {"idle", core.idle},
                  {"iowait", core.waiting},
                  {"steal", core.stolen}}};
    for (const auto& [mode, time] : modes) {
      batch.Add(kDeviceCpu, Labels({{"core", number}, {"mode", mode}}),
                Seconds(time).count());
    }
  }
  for (const CoreFrequency& core : usage.frequencies) {
    batch.Add(kDeviceFrequency, Labels({{"core", std::to_string(core.core)}}),
              core.hz);
  }
}

void DeviceCollector::AddMemory(const HostMemory& memory,
                                MetricBatch& batch) const {
  const MetricLabels labels = Labels({});
  if (memory.total && memory.used) {
    batch.Add(kDeviceMemoryAvailable, labels,
              Count(*memory.total) - Count(*memory.used));
  }
  AddIf(kDeviceSwap, labels, memory.swap_total, batch);
  AddIf(kDeviceSwapUsed, labels, memory.swap_used, batch);
}

void DeviceCollector::AddTraffic(const HostUsage& usage,
                                 MetricBatch& batch) const {
  for (const InterfaceBytes& one : usage.interfaces) {
    const MetricLabels labels =
        Labels({{"interface", one.name},
                {"physical", one.physical ? "true" : "false"}});
    batch.Add(kDeviceReceived, labels, Count(one.received));
    batch.Add(kDeviceSent, labels, Count(one.sent));
  }
  for (const BlockDevice& disk : usage.disks) {
    const MetricLabels labels = Labels({{"disk", disk.name}});
    batch.Add(kDeviceRead, labels, Count(disk.read));
    batch.Add(kDeviceWritten, labels, Count(disk.written));
  }
}

void DeviceCollector::AddHeat(const HostUsage& usage, MetricBatch& batch) {
  for (const Temperature& sensor : usage.temperatures) {
    batch.Add(kDeviceTemperature, Labels({{"sensor", sensor.source}}),
              sensor.celsius);
  }
  Throttling throttling = throttling_.Read();
  for (const CoreThrottles& core : throttling.cores) {
    batch.Add(kDeviceThrottles, Labels({{"core", std::to_string(core.core)}}),
              static_cast<double>(core.events));
  }
  for (const CoolingState& cooler : throttling.cooling) {
    batch.Add(kDeviceCooling, Labels({{"cooler", cooler.source}}),
              cooler.level);
  }
  if (throttling.under_voltage) {
    batch.Add(kDeviceUnderVoltage, Labels({}), *throttling.under_voltage);
  }
}

void DeviceCollector::AddPower(const HostUsage& usage,
                               std::chrono::nanoseconds now,
                               MetricBatch& batch) {
  std::set<std::string_view> reported;
  auto add = [&](const std::string& source,
                 const std::vector<EnergyCounter>& counters,
                 std::optional<Watts> power) {
    const MetricLabels labels = Labels({{"source", source}});
    if (power) batch.Add(kDevicePower, labels, power->count);
    batch.Add(kDeviceEnergy, labels,
              *energy_[source].Add(counters, power, now));
    reported.insert(source);
  };
  for (const EnergyCounter& counter : usage.energy) {
    add(counter.source, {counter}, std::nullopt);
  }
  for (const PowerRail& rail : usage.rails) add(rail.source, {}, rail.power);
  for (const Battery& battery : usage.batteries) {
    if (battery.draw) add(battery.source, {}, *battery.draw);
    if (battery.charge) {
      batch.Add(kDeviceBattery, Labels({{"battery", battery.source}}),
                *battery.charge);
    }
  }
  for (auto& [source, sum] : energy_) {
    if (!reported.contains(source)) sum.Add({}, std::nullopt, now);
  }
}

void DeviceCollector::AddPressure(const Pressures& pressure,
                                  MetricBatch& batch) const {
  const std::array<std::pair<const char*, const Pressure*>, 3> resources = {
      {{"cpu", &pressure.cpu},
       {"memory", &pressure.memory},
       {"io", &pressure.io}}};
  for (const auto& [resource, reported] : resources) {
    auto add = [&, name = resource](const char* stalled, const Stall& stall) {
      batch.Add(kDevicePressure,
                Labels({{"resource", name}, {"stalled", stalled}}),
                Seconds(stall.total).count());
    };
    if (reported->some) add("some", *reported->some);
    // For the CPU, "full" has no meaning (linux/pressure.h).
    if (reported->full && reported != &pressure.cpu)
      add("full", *reported->full);
  }
}

void DeviceCollector::AddLoad(MetricBatch& batch) {
  constexpr std::array<const char*, 3> kWindows = {"1m", "5m", "15m"};
  std::vector<std::string_view> words = SplitFields(loadavg_.TextOrNone());
  for (size_t i = 0; i < kWindows.size() && i < words.size(); ++i) {
    auto load = Decimal(words[i]);
    if (load) {
      batch.Add(kDeviceLoad, Labels({{"window", kWindows[i]}}), *load);
    }
  }
}

}  // namespace mete
