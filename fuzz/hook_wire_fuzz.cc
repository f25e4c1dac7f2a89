// Parses arbitrary bytes as a datagram of a hook. An accepted datagram has no
// more events than records, and none of them is in the future.
#include "adapters/hook/hook_wire.h"

#include <cmath>

#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  constexpr std::chrono::nanoseconds kArrival = std::chrono::hours(1);
  auto datagram = mete::ParseHookDatagram(fuzz::ToText(bytes, size), kArrival);
  if (!datagram.ok()) return 0;
  CHECK(datagram->events.size() <= datagram->header.records);
  for (const mete::AppEvent& event : datagram->events) {
    CHECK(std::isfinite(event.value));
    CHECK(event.at <= kArrival);
  }
  return 0;
}
