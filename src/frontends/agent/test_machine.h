// Test helpers of this folder: recorded machines, and the page that a collector
// produces for them.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "agent/collector.h"
#include "agent/device_identity.h"
#include "linux/machine_facts.h"
#include "linux/system_root.h"

namespace mete {

inline SystemRoot RecordedMachine(const std::string& name) {
  return SystemRoot(std::string(METE_FIXTURES) + "/root/" + name);
}

inline DeviceIdentity ReadIdentity(const SystemRoot& root,
                                   const std::string& architecture = "x86_64",
                                   int cores = 4) {
  return {.node = "edge-1",
          .uuid = MakeUuid("0123456789abcdef"),
          .kind = ReadMachineKind(root),
          .facts = *ReadDeviceFacts(
              root, {.architecture = architecture, .cores = cores})};
}

// Runs the collector once, expects success and returns the page.
inline std::string CollectPage(Collector& collector) {
  MetricBatch batch;
  Status done = collector.Collect(batch);
  EXPECT_TRUE(done.ok()) << done.error().message();
  return WriteMetricPage({&batch}, MetricFormat::kText);
}

}  // namespace mete
