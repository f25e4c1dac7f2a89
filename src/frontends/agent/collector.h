// Interface of a source of metrics: the device, containers, GPUs, applications.
#pragma once

#include <string_view>

#include "net/metric_text.h"
#include "support/result.h"

namespace mete {

// Collects one group of metrics. Each collector runs repeatedly on a thread of
// its own. It may keep files open, and if it hangs it does not delay the
// others.
class Collector {
 public:
  virtual ~Collector() = default;

  // Value of the label `collector`: "device", "containers".
  virtual std::string_view name() const = 0;

  // Adds the current samples. Values that cannot be read are omitted. Fails if
  // nothing useful could be read; samples added before are still exported.
  virtual Status Collect(MetricBatch& batch) = 0;
};

}  // namespace mete
