#include "service/service_meter.h"

#include <algorithm>

#include "support/units.h"

namespace mete {

void DurationHistogram::Add(std::chrono::nanoseconds duration) {
  auto bound = std::ranges::lower_bound(kBounds, Seconds(duration).count());
  ++counts_[static_cast<size_t>(bound - kBounds.begin())];
  sum_ += duration.count();
}

void ServiceMeter::AddServed(const ServiceRecord& record) {
  service_time.Add(record.ServiceTime());
  queueing_time.Add(record.QueueingTime());
  ++served;
}

}  // namespace mete
