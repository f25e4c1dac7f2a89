// NVIDIA's management library (NVML), loaded on demand. The only code that
// knows its functions and types.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/machine_sample.h"
#include "ports/system_probes.h"
#include "support/result.h"

namespace mete {

struct NvmlFunctions;  // the functions we call

// The loaded and initialized library; shut down by the destructor. A value is
// absent if an older library or a smaller GPU lacks its function. Not
// thread-safe.
class NvmlLibrary {
 public:
  static constexpr const char* kUsualName = "libnvidia-ml.so.1";

  // With an empty `path` the loader searches it. Fails with kNotFound when the
  // library is not installed, with kUnsupported when it is not NVML, and with
  // kUnavailable and its own reason when it finds no driver.
  static Result<NvmlLibrary> Open(const std::string& path);
  NvmlLibrary(NvmlLibrary&&) noexcept;
  NvmlLibrary& operator=(NvmlLibrary&&) = delete;
  ~NvmlLibrary();

  Result<NvidiaAnswer> Answer() const;

  // Devices are numbered from 0 to Answer().devices - 1.
  std::string Name(unsigned device) const;
  std::optional<double> Utilization(unsigned device) const;  // 0 … 1
  // Memory of a device.
  struct Memory {
    Bytes used;
    Bytes total;
  };
  std::optional<Memory> ReadMemory(unsigned device) const;
  std::optional<Watts> Power(unsigned device) const;
  // Since the driver was loaded. Only Volta and later GPUs count it.
  std::optional<Microjoules> Energy(unsigned device) const;
  std::optional<double> Celsius(unsigned device) const;
  // Compute processes. A process whose memory is hidden is omitted.
  std::vector<GpuProcess> Processes(unsigned device) const;

 private:
  // Deleter of the library handle.
  struct Closer {
    void operator()(void* library) const;
  };
  using Handle = std::unique_ptr<void, Closer>;
  NvmlLibrary(Handle library, std::unique_ptr<NvmlFunctions> functions);

  Handle library_;
  std::unique_ptr<NvmlFunctions> functions_;
};

// The facts that `mete doctor` reports.
Result<NvidiaAnswer> AskNvml(const std::string& path);

}  // namespace mete
