#include "devices/this_device.h"

#include <algorithm>

namespace mete {
namespace {

// Another process may take a name between our check and our save.
constexpr int kAttempts = 5;

std::string FreeName(const std::vector<Device>& devices,
                     const std::string& requested) {
  auto taken = [&](const std::string& name) {
    return std::any_of(devices.begin(), devices.end(),
                       [&](const Device& device) {
                         // A name that is an id would be found first and hide
                         // this device.
                         return device.name == name || device.id == name;
                       });
  };
  std::string name = requested;
  for (int number = 2; taken(name); ++number) {
    name = requested + "-" + std::to_string(number);
  }
  return name;
}

Result<Device> SaveUnderFreeName(RunStore& store, Device device,
                                 const std::string& requested) {
  for (int attempt = 1;; ++attempt) {
    ASSIGN_OR_RETURN(auto devices, store.ListDevices());
    // Another process may have registered this machine meanwhile.
    for (const Device& other : devices) {
      if (other.id == device.id) return other;
    }
    device.name = FreeName(devices, requested);
    Status saved = store.SaveDevice(device);
    if (saved.ok()) return device;
    bool retry = saved.error().code() == ErrorCode::kInvalidInput;
    if (!retry || attempt == kAttempts) return saved.error();
  }
}

Result<Device> RegisterAgain(RunStore& store, Host& host, Clock& clock,
                             const std::string& id) {
  Device device;
  device.id = id;
  device.registered_at = clock.Wall();
  ASSIGN_OR_RETURN(device.facts, host.Facts());
  ASSIGN_OR_RETURN(device.speed, host.MeasureSpeed());
  std::string name = host.HostName();
  return SaveUnderFreeName(store, std::move(device),
                           name.empty() ? "device" : name);
}

enum class SpeedPolicy { kKeep, kMeasureAgain };

Result<Device> Update(RunStore& store, Host& host, Device device,
                      SpeedPolicy policy) {
  ASSIGN_OR_RETURN(DeviceFacts facts, host.Facts());
  bool measure = policy == SpeedPolicy::kMeasureAgain || !device.speed;
  if (facts == device.facts && !measure) return device;
  device.facts = std::move(facts);
  if (measure) {
    ASSIGN_OR_RETURN(device.speed, host.MeasureSpeed());
  }
  RETURN_IF_ERROR(store.SaveDevice(device));
  return device;
}

Result<Device> Register(RunStore& store, Host& host, Clock& clock,
                        SpeedPolicy policy) {
  ASSIGN_OR_RETURN(std::string id, host.DeviceId());
  auto known = store.FindDevice(id);
  if (!known.ok() && known.error().code() != ErrorCode::kNotFound) {
    return known.error();
  }
  // Another device may have this one's id as its name.
  if (!known.ok() || known->id != id) {
    return RegisterAgain(store, host, clock, id);
  }
  return Update(store, host, *std::move(known), policy);
}

}  // namespace

Result<Device> RegisterThisDevice(RunStore& store, Host& host, Clock& clock) {
  RETURN_IF_ERROR(store.CheckWritable());
  return Register(store, host, clock, SpeedPolicy::kKeep)
      .While("register this device");
}

Result<Device> RefreshDevice(RunStore& store, Host& host, Clock& clock) {
  return Register(store, host, clock, SpeedPolicy::kMeasureAgain)
      .While("refresh this device");
}

}  // namespace mete
