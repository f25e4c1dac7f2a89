// Parses arbitrary bytes as the answer of a service to GET /service-times. All
// lists of an accepted answer have the same length and hold finite times.
#include "contend/service_times.h"

#include <cmath>

#include "fuzz/input.h"
#include "support/check.h"

namespace {

void CheckTimes(const std::vector<double>& times, size_t length) {
  CHECK(times.size() == length);
  for (double time : times) CHECK(std::isfinite(time) && time >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  auto times = mete::ParseServiceTimes(fuzz::ToText(bytes, size));
  if (!times.ok()) return 0;
  for (const auto* list :
       {&times->service, &times->arrival, &times->departure,
        &times->interarrival, &times->queueing, &times->queue_lengths}) {
    CheckTimes(*list, times->size());
  }
  return 0;
}
