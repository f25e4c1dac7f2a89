// One kind of thing the agent tells about: the device, containers, GPUs,
// applications.
#pragma once

#include <string_view>

#include "net/metric_text.h"
#include "support/result.h"

namespace mete {

// Asked again and again by one thread that is its own, so that it may keep
// files open and may hang without holding up the others.
class Collector {
 public:
  virtual ~Collector() = default;

  // A word for the label `collector`: "device", "containers".
  virtual std::string_view name() const = 0;

  // Adds what there is to tell at this moment. What cannot be read is left
  // out; a failure means that nothing could be told, and samples added before
  // it still count.
  virtual Status Collect(MetricBatch& batch) = 0;
};

}  // namespace mete
