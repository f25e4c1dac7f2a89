// Converts a device to JSON and back: the format of `mete devices show -o json`
// and of the store.
#pragma once

#include "domain/device.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Absent values have no key; null is never written.
Json DeviceToJson(const Device& device);

// Fails with kCorrupt when a key is missing or has another type.
Result<Device> DeviceFromJson(const Json& json);

}  // namespace mete
