#include "devices/find_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "ports/unknown_errors.h"
#include "support/text.h"

namespace mete {

std::vector<std::string> NamesIn(const std::string& text) {
  std::vector<std::string> names = SplitAt(text, ',');
  std::erase(names, "");
  return names;
}

bool IsHere(const Device& device, const std::string& machine_id) {
  return device.emulation ? device.emulation->host_id == machine_id
                          : device.id == machine_id;
}

Result<Device> FindNamedDevice(RunStore& store, const std::string& name) {
  Result<Device> found = store.FindDevice(name);
  if (found.ok() || found.error().code() != ErrorCode::kNotFound) return found;
  ASSIGN_OR_RETURN(auto devices, store.ListDevices());
  std::vector<std::string> names;
  for (const Device& device : devices) names.push_back(device.name);
  return UnknownDevice(name, names);
}

Result<std::vector<Device>> DevicesHere(RunStore& store, const Device& here,
                                        const std::string& names) {
  if (names.empty()) return std::vector<Device>{here};
  std::vector<Device> devices;
  if (names == "all") {
    ASSIGN_OR_RETURN(devices, store.ListDevices());
    std::erase_if(devices,
                  [&](const Device& one) { return !IsHere(one, here.id); });
    return devices;
  }
  for (const std::string& name : NamesIn(names)) {
    ASSIGN_OR_RETURN(Device device, FindNamedDevice(store, name));
    if (!IsHere(device, here.id)) {
      return InvalidInput(fmt::format(
          "--device {} is not this machine ({}) or one it emulates; run mete "
          "there",
          name, here.name));
    }
    bool again = std::ranges::any_of(
        devices, [&](const Device& other) { return other.id == device.id; });
    if (!again) devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace mete
