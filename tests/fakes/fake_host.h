// A host whose properties are set by tests.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "ports/host.h"

namespace mete {

class FakeHost final : public Host {
 public:
  std::string device_id = "fake-device";
  std::string host_name = "fake";
  DeviceFacts facts{.architecture = "x86_64",
                    .cpu_model = "Fake CPU",
                    .cores = 4,
                    .ram = Gibibytes(8),
                    .os = "Fake OS",
                    .kernel = "6.1.0"};
  DeviceSpeed speed{.operations_per_second = 1e11,
                    .memory_bytes_per_second = 1e10};
  Environment environment{.cpu_model = "Fake CPU",
                          .cores = 4,
                          .governor = "performance",
                          .kernel = "6.1.0",
                          .load_average = 0.25};
  std::optional<Bytes> peak_memory = Mebibytes(100);
  int peak_resets = 0;
  // Returned one after the other; the last one stays. Empty: unreadable.
  std::vector<CpuTimes> cpu_times;
  size_t cpu_readings = 0;
  std::vector<int> cpus = {0, 1, 2, 3};
  std::vector<std::vector<int>> pins;  // all calls of PinThread
  Status pin_failure;
  int speed_measurements = 0;

  Result<std::string> DeviceId() override { return device_id; }
  std::string HostName() override { return host_name; }
  Result<DeviceFacts> Facts() override { return facts; }
  Result<DeviceSpeed> MeasureSpeed() override {
    ++speed_measurements;
    return speed;
  }
  Environment ReadEnvironment() override { return environment; }
  std::optional<Bytes> PeakMemory() override { return peak_memory; }
  void ResetPeakMemory() override { ++peak_resets; }
  std::optional<CpuTimes> ReadCpuTimes() override {
    if (cpu_times.empty()) return std::nullopt;
    size_t reading = std::min(cpu_readings++, cpu_times.size() - 1);
    return cpu_times[reading];
  }
  std::vector<int> UsableCpus() override { return cpus; }
  Status PinThread(const std::vector<int>& chosen) override {
    pins.push_back(chosen);
    return pin_failure;
  }
};

}  // namespace mete
