#include "adapters/nvml/nvml_library.h"

#include <dlfcn.h>

#include <array>

namespace mete {

// Uses the types of nvml.h: nvmlReturn_t is an enum whose 0 is success,
// nvmlDevice_t an opaque pointer.
struct NvmlFunctions {
  using Device = void*;
  struct Rates {
    unsigned gpu;  // percent, averaged over a short time
    unsigned memory;
  };
  struct MemoryBytes {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
  };
  // nvmlProcessInfo_t since version 2 of the function.
  struct Process {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance;
    unsigned compute_instance;
  };

  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_count)(unsigned*) = nullptr;
  // All functions below may be missing.
  int (*device)(unsigned, Device*) = nullptr;
  int (*name)(Device, char*, unsigned) = nullptr;
  int (*utilization)(Device, Rates*) = nullptr;
  int (*memory)(Device, MemoryBytes*) = nullptr;
  int (*power)(Device, unsigned*) = nullptr;                // milliwatts
  int (*energy)(Device, unsigned long long*) = nullptr;     // millijoules
  int (*temperature)(Device, int, unsigned*) = nullptr;     // 0: of the chip
  int (*processes)(Device, unsigned*, Process*) = nullptr;  // v3, or v2

  std::optional<Device> Find(unsigned index) const {
    Device found = nullptr;
    if (device == nullptr || device(index, &found) != 0) return std::nullopt;
    return found;
  }
};

namespace {

using Device = NvmlFunctions::Device;
constexpr int kTooSmall = 7;  // NVML_ERROR_INSUFFICIENT_SIZE
// NVML_VALUE_NOT_AVAILABLE, for example for processes of other containers.
constexpr unsigned long long kHidden = ~0ULL;

template <typename Function>
void Look(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

NvmlFunctions LookUp(void* library) {
  NvmlFunctions found;
  Look(library, "nvmlInit_v2", found.init);
  Look(library, "nvmlShutdown", found.shutdown);
  Look(library, "nvmlErrorString", found.error_string);
  Look(library, "nvmlSystemGetDriverVersion", found.driver_version);
  Look(library, "nvmlDeviceGetCount_v2", found.device_count);
  Look(library, "nvmlDeviceGetHandleByIndex_v2", found.device);
  Look(library, "nvmlDeviceGetName", found.name);
  Look(library, "nvmlDeviceGetUtilizationRates", found.utilization);
  Look(library, "nvmlDeviceGetMemoryInfo", found.memory);
  Look(library, "nvmlDeviceGetPowerUsage", found.power);
  Look(library, "nvmlDeviceGetTotalEnergyConsumption", found.energy);
  Look(library, "nvmlDeviceGetTemperature", found.temperature);
  Look(library, "nvmlDeviceGetComputeRunningProcesses_v3", found.processes);
  if (found.processes == nullptr) {
    Look(library, "nvmlDeviceGetComputeRunningProcesses_v2", found.processes);
  }
  return found;
}

// Queries one value of a device; absent when function, device or value is.
template <typename Value>
std::optional<Value> Ask(const NvmlFunctions& functions, unsigned index,
                         int (*function)(Device, Value*)) {
  auto device = functions.Find(index);
  Value value{};
  if (!device || function == nullptr || function(*device, &value) != 0) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

void NvmlLibrary::Closer::operator()(void* library) const { dlclose(library); }

NvmlLibrary::NvmlLibrary(Handle library,
                         std::unique_ptr<NvmlFunctions> functions)
    : library_(std::move(library)), functions_(std::move(functions)) {}

NvmlLibrary::NvmlLibrary(NvmlLibrary&&) noexcept = default;

NvmlLibrary::~NvmlLibrary() {
  if (functions_ != nullptr) functions_->shutdown();  // not moved from
}

Result<NvmlLibrary> NvmlLibrary::Open(const std::string& path) {
  const std::string name = path.empty() ? kUsualName : path;
  Handle library(dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL));
  if (library == nullptr) return NotFound(name + " is not installed");
  auto functions = std::make_unique<NvmlFunctions>(LookUp(library.get()));
  const NvmlFunctions& found = *functions;
  if (!found.init || !found.shutdown || !found.error_string ||
      !found.driver_version || !found.device_count) {
    return Unsupported(name + " is too old");
  }
  if (int code = found.init(); code != 0) {
    return Unavailable(std::string("nvmlInit: ") + found.error_string(code));
  }
  return NvmlLibrary(std::move(library), std::move(functions));
}

Result<NvidiaAnswer> NvmlLibrary::Answer() const {
  std::array<char, 96> driver{};  // NVML requires 80
  NvidiaAnswer answer;
  bool answered =
      functions_->driver_version(driver.data(), driver.size() - 1) == 0;
  bool counted = functions_->device_count(&answer.devices) == 0;
  if (!answered || !counted)
    return Unavailable("NVML reports no driver version");
  answer.driver = driver.data();
  return answer;
}

std::string NvmlLibrary::Name(unsigned device) const {
  std::array<char, 128> name{};  // NVML requires 96
  auto found = functions_->Find(device);
  if (!found || functions_->name == nullptr ||
      functions_->name(*found, name.data(), name.size() - 1) != 0) {
    return "NVIDIA GPU";
  }
  return name.data();
}

std::optional<double> NvmlLibrary::Utilization(unsigned device) const {
  auto rates = Ask(*functions_, device, functions_->utilization);
  if (!rates) return std::nullopt;
  return rates->gpu / 100.0;
}

std::optional<NvmlLibrary::Memory> NvmlLibrary::ReadMemory(
    unsigned device) const {
  auto memory = Ask(*functions_, device, functions_->memory);
  if (!memory) return std::nullopt;
  return Memory{.used = Bytes{memory->used}, .total = Bytes{memory->total}};
}

std::optional<Watts> NvmlLibrary::Power(unsigned device) const {
  auto milliwatts = Ask(*functions_, device, functions_->power);
  if (!milliwatts) return std::nullopt;
  return Watts{*milliwatts / 1000.0};
}

std::optional<Microjoules> NvmlLibrary::Energy(unsigned device) const {
  auto millijoules = Ask(*functions_, device, functions_->energy);
  if (!millijoules) return std::nullopt;
  return Microjoules{*millijoules * 1000};
}

std::optional<double> NvmlLibrary::Celsius(unsigned device) const {
  auto found = functions_->Find(device);
  unsigned degrees = 0;
  if (!found || functions_->temperature == nullptr ||
      functions_->temperature(*found, 0, &degrees) != 0) {
    return std::nullopt;
  }
  return degrees;
}

std::vector<GpuProcess> NvmlLibrary::Processes(unsigned device) const {
  auto found = functions_->Find(device);
  if (!found || functions_->processes == nullptr) return {};
  std::vector<NvmlFunctions::Process> room(64);
  auto count = static_cast<unsigned>(room.size());
  int code = functions_->processes(*found, &count, room.data());
  if (code == kTooSmall) {  // `count` is the number of processes
    room.resize(count + 16);
    count = static_cast<unsigned>(room.size());
    code = functions_->processes(*found, &count, room.data());
  }
  std::vector<GpuProcess> processes;
  if (code != 0) return processes;
  room.resize(count);
  for (const NvmlFunctions::Process& one : room) {
    if (one.memory == kHidden) continue;
    processes.push_back(
        {.pid = static_cast<int>(one.pid), .memory = Bytes{one.memory}});
  }
  return processes;
}

Result<NvidiaAnswer> AskNvml(const std::string& path) {
  ASSIGN_OR_RETURN(NvmlLibrary library, NvmlLibrary::Open(path));
  return library.Answer();
}

}  // namespace mete
