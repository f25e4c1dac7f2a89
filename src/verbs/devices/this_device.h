// Registers this machine as a device in the store.
#pragma once

#include "domain/device.h"
#include "ports/host.h"
#include "ports/run_store.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Registers this machine on first use, which takes two seconds to measure its
// speed. Later calls are quick: they keep name and speed, and update the stored
// facts only if these changed. The name is the host name, with "-2", "-3", …
// added if another device has it. Whoever registers is about to measure, so it
// also fails when the store can only be read.
Result<Device> RegisterThisDevice(RunStore& store, Host& host, Clock& clock);

// The same, but always measures the speed again.
Result<Device> RefreshDevice(RunStore& store, Host& host, Clock& clock);

}  // namespace mete
