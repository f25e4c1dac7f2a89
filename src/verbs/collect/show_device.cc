#include "collect/show_device.h"

#include <fmt/format.h>

#include "devices/find_devices.h"
#include "devices/this_device.h"
#include "support/units.h"

namespace mete {
namespace {

// Registering for the first time takes about two seconds, so this reports it.
void SayLooking(const DeviceDependencies& needs) {
  if (needs.progress) needs.progress("inspecting this machine …");
}

// In a store that can only be read, this machine is what was stored of it.
Result<Device> Register(const DeviceDependencies& needs) {
  if (Status writable = needs.store.CheckWritable(); !writable.ok()) {
    ASSIGN_OR_RETURN(std::string id, needs.host.DeviceId());
    auto known = needs.store.FindDevice(id);
    bool missing = !known.ok() && known.error().code() == ErrorCode::kNotFound;
    return missing ? Result<Device>(writable.error()) : known;
  }
  SayLooking(needs);
  return RegisterThisDevice(needs.store, needs.host, needs.clock);
}

Result<Device> RefreshHost(const DeviceDependencies& needs) {
  RETURN_IF_ERROR(needs.store.CheckWritable());
  SayLooking(needs);
  return RefreshDevice(needs.store, needs.host, needs.clock);
}

// The device to show. For this machine, its speeds are refreshed.
Result<Device> Find(const ShowDeviceRequest& request,
                    const DeviceDependencies& needs) {
  if (request.name.empty()) {
    return request.refresh ? RefreshHost(needs) : Register(needs);
  }
  if (!request.refresh && !needs.store.CheckWritable().ok()) {
    return FindNamedDevice(needs.store, request.name);
  }
  ASSIGN_OR_RETURN(Device here, Register(needs));
  ASSIGN_OR_RETURN(Device found, FindNamedDevice(needs.store, request.name));
  if (!request.refresh) return found;
  if (!IsHere(found, here.id)) {
    return InvalidInput("--refresh: '" + request.name +
                        "' is another machine; run mete there");
  }
  return found.emulated ? Result<Device>(found) : RefreshHost(needs);
}

// Another program that uses a quarter of the cores is enough to slow down one
// of two threads.
constexpr double kBusyShare = 0.25;
// Differences below this are noise.
constexpr double kSlower = 0.95;

std::string BusyWarning(const Environment& now) {
  if (!now.load_average || now.cores < 1) return "";
  if (*now.load_average < kBusyShare * now.cores) return "";
  return fmt::format(
      "this machine is busy (load average {:.1f} on {}), so the measured "
      "speeds may be too low; repeat this when it is idle",
      *now.load_average, Counted(static_cast<uint64_t>(now.cores), "core"));
}

// More threads are never much slower on an idle machine.
std::string ThreadsWarning(const MicroMeasurements& micro) {
  if (micro.speeds.size() < 2) return "";
  const EngineSpeed& one = micro.speeds.front();
  const EngineSpeed& all = micro.speeds.back();
  struct Kind {
    const char* name;
    double EngineSpeed::*rate;
  };
  for (const Kind& kind :
       {Kind{"gemm", &EngineSpeed::gemm_flops_per_second},
        Kind{"conv 3x3", &EngineSpeed::conv_flops_per_second},
        Kind{"depthwise", &EngineSpeed::depthwise_flops_per_second}}) {
    if (all.*kind.rate >= kSlower * (one.*kind.rate)) continue;
    return fmt::format(
        "{} threads are slower than 1 ({}: {}flop/s against {}flop/s); other "
        "programs were using the cores, so repeat this when it is idle",
        all.threads, kind.name, FormatScaled(all.*kind.rate),
        FormatScaled(one.*kind.rate));
  }
  return "";
}

}  // namespace

Result<ShownDevice> ShowDevice(const ShowDeviceRequest& request,
                               const DeviceDependencies& needs,
                               std::stop_token stop) {
  ShownDevice shown;
  // Read first: the measurement itself raises the load average.
  Environment before = needs.host.ReadEnvironment();
  ASSIGN_OR_RETURN(shown.device, Find(request, needs));
  if (!request.refresh) return shown;
  // The engine's speeds need an engine. Without one, only those of the machine
  // are refreshed.
  Result<EngineVersion> engine = needs.engine_version();
  if (!engine.ok()) {
    shown.warnings.push_back("the engine was not measured: " +
                             engine.error().message());
    return shown;
  }
  ASSIGN_OR_RETURN(shown.device,
                   RefreshMeasurements(shown.device, needs, std::move(stop)));
  shown.warnings = DoubtsAbout(*shown.device.micro, before);
  return shown;
}

std::vector<std::string> DoubtsAbout(const MicroMeasurements& micro,
                                     const Environment& before) {
  std::vector<std::string> doubts;
  for (std::string doubt : {BusyWarning(before), ThreadsWarning(micro)}) {
    if (!doubt.empty()) doubts.push_back(std::move(doubt));
  }
  return doubts;
}

Result<std::vector<Device>> ListAllDevices(const DeviceDependencies& needs) {
  if (needs.store.CheckWritable().ok()) RETURN_IF_ERROR(Register(needs));
  return needs.store.ListDevices();
}

}  // namespace mete
