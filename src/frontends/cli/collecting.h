// What the verbs that measure devices share: the outside as collecting sees it,
// and a collection with its progress line.
#pragma once

#include "cli/verb.h"
#include "collect/collect.h"
#include "collect/emulated_device.h"

namespace mete {

// Tells what is being done on the progress line; the caller clears it.
DevicePorts DevicePortsOf(Invocation& invocation, RunStore& store);

// Shows where it stands while it runs, and says its notes afterwards. Ends
// with `interrupted` in the summary at the first Ctrl-C.
Result<CollectSummary> CollectShown(Invocation& invocation, RunStore& store,
                                    const CollectRequest& request);

// The same where half a collection is of no use: fails with kInterrupted.
Status CollectWhole(Invocation& invocation, RunStore& store,
                    const CollectRequest& request);

}  // namespace mete
