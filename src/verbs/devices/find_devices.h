// Finds devices by name and suggests the nearest spelling for unknown names.
#pragma once

#include <string>
#include <vector>

#include "domain/device.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// Splits "A,B" into names.
std::vector<std::string> NamesIn(const std::string& text);

// Whether `device` can be measured on the machine with this id: it is that
// machine or is emulated by it.
bool IsHere(const Device& device, const std::string& machine_id);

// Finds a device by name or id. Fails with kNotFound and suggests the nearest
// name.
Result<Device> FindNamedDevice(RunStore& store, const std::string& name);

// Finds the devices in "A,B", "all" or "" (this machine) that can be measured
// here. Fails with kInvalidInput for devices of other machines.
Result<std::vector<Device>> DevicesHere(RunStore& store, const Device& here,
                                        const std::string& names);

}  // namespace mete
