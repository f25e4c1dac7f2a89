// This machine as a device of the store.
#pragma once

#include "domain/device.h"
#include "ports/host.h"
#include "ports/run_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Registers this machine on its first use, which takes the two seconds of
// measuring its speed. Later calls are quick: they keep name and speed, and
// store the facts again only when those changed. The name is the host name,
// with "-2", "-3", … added when another device has it.
Result<Device> RegisterThisDevice(RunStore& store, Host& host, Clock& clock);

// The same, and measures the speed anew in any case.
Result<Device> RefreshDevice(RunStore& store, Host& host, Clock& clock);

}  // namespace mete
