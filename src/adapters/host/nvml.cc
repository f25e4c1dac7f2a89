#include "adapters/host/nvml.h"

#include <dlfcn.h>

#include <array>
#include <memory>

namespace mete {
namespace {

// The few functions we call, with the types of nvml.h: nvmlReturn_t is an
// enum whose 0 is success.
using Init = int();
using Shutdown = int();
using ErrorString = const char*(int);
using DriverVersion = int(char*, unsigned);
using DeviceCount = int(unsigned*);

struct Closer {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Closer>;

template <typename Function>
Function* Find(const Library& library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library.get(), name));
}

}  // namespace

Result<NvidiaAnswer> AskNvml(const char* library) {
  Library nvml(dlopen(library, RTLD_LAZY | RTLD_LOCAL));
  if (nvml == nullptr) {
    return NotFound(std::string(library) + " is not installed");
  }
  auto* init = Find<Init>(nvml, "nvmlInit_v2");
  auto* shutdown = Find<Shutdown>(nvml, "nvmlShutdown");
  auto* reason = Find<ErrorString>(nvml, "nvmlErrorString");
  auto* version = Find<DriverVersion>(nvml, "nvmlSystemGetDriverVersion");
  auto* count = Find<DeviceCount>(nvml, "nvmlDeviceGetCount_v2");
  if (!init || !shutdown || !reason || !version || !count) {
    return Unsupported(std::string(library) + " is too old");
  }
  if (int code = init(); code != 0) {
    return Unavailable(std::string("nvmlInit: ") + reason(code));
  }
  std::array<char, 96> driver{};  // NVML asks for 80
  NvidiaAnswer answer;
  bool told = version(driver.data(), driver.size() - 1) == 0;
  bool counted = count(&answer.devices) == 0;
  shutdown();
  if (!told || !counted) return Unavailable("nvml tells no driver version");
  answer.driver = driver.data();
  return answer;
}

}  // namespace mete
