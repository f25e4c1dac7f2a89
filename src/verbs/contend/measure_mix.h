// Measures one mix: services started, settled, flushed, loaded, drained, and
// their times fetched from every replica.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "contend/mix_load.h"
#include "contend/service_pool.h"
#include "contend/usage_sampler.h"
#include "domain/mix.h"
#include "support/clock.h"

namespace mete {

// How every mix of a campaign is measured.
struct MixTiming {
  Seconds window{20};  // during which requests are sent
  Seconds settle{1};   // between the last start and the window
  Seconds drain{20};   // at most, to wait for answers after the window
  bool operator==(const MixTiming&) const = default;
};

// One instance as it was measured.
struct InstanceMeasurement {
  std::string process;  // its process id, or "instance-1" where unknown
  ServiceTimes times;
  std::vector<ServiceSample> samples;
};

// One tenant as it was measured.
struct TenantMeasurement {
  Tenant tenant;
  TenantAnswers answers;
  std::vector<InstanceMeasurement> instances;
  std::vector<int> process_ids;
  int port = 0;  // of the first instance
};

// A whole mix as it was measured.
struct MixMeasurement {
  Mix mix;
  std::chrono::system_clock::time_point started_at;
  Seconds window{0};
  std::string accounting;  // where the usage was read
  std::vector<TenantMeasurement> tenants;
};

// What a mix needs, borrowed for the duration of a call.
struct MeasureMixDependencies {
  ServicePool& pool;
  const DriveLoad& drive;
  Clock& clock;
};

// Fails as ServicePool::Provide and the load do, with kUnavailable when a
// service ends meanwhile, and with kInterrupted after `stop`.
Result<MixMeasurement> MeasureMix(const Mix& mix, const MixTiming& timing,
                                  const MeasureMixDependencies& dependencies,
                                  std::stop_token stop);

}  // namespace mete
