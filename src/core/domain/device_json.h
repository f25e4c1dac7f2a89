// A device as JSON and back: the shape of `mete devices show -o json` and of
// what a store keeps.
#pragma once

#include "domain/device.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// What is absent in the device is absent in the JSON, never null.
Json DeviceToJson(const Device& device);

// Fails with kCorrupt when a key is missing or holds another kind of value.
Result<Device> DeviceFromJson(const Json& json);

}  // namespace mete
