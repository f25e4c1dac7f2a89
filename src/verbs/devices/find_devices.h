// Devices by the names people give, with the nearest spelling for those that
// do not exist.
#pragma once

#include <string>
#include <vector>

#include "domain/device.h"
#include "ports/run_store.h"
#include "support/result.h"

namespace mete {

// "A,B": the names in it.
std::vector<std::string> NamesIn(const std::string& text);

// Whether `device` can be measured on the machine with that id: it is that
// machine, or emulated by it.
bool IsHere(const Device& device, const std::string& machine_id);

// By name or id. Fails with kNotFound and what was meant.
Result<Device> FindNamedDevice(RunStore& store, const std::string& name);

// "A,B", "all" or "" (this machine): devices that can be measured here. Fails
// with kInvalidInput for those of other machines.
Result<std::vector<Device>> DevicesHere(RunStore& store, const Device& here,
                                        const std::string& names);

}  // namespace mete
