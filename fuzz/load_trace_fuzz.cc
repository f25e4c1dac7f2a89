// Reads arbitrary text as the arrival times of a load. What is accepted must be
// in order and within its window, and survive being written and read again.
#include <algorithm>

#include "fuzz/input.h"
#include "load/arrival_schedule.h"
#include "load/load_url.h"
#include "load/rate_objective.h"
#include "support/check.h"

namespace {

void CheckSchedule(const mete::ArrivalSchedule& schedule) {
  CHECK(!schedule.times.empty());
  CHECK(std::is_sorted(schedule.times.begin(), schedule.times.end()));
  CHECK(schedule.times.front().count() >= 0);
  CHECK(schedule.times.back() < schedule.window);
  CHECK(schedule.rate() > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string_view text = fuzz::ToText(bytes, size);
  if (auto schedule = mete::ParseArrivalTrace(text); schedule.ok()) {
    CheckSchedule(*schedule);
    auto again = mete::ParseArrivalTrace(mete::FormatArrivalTrace(*schedule));
    CHECK(again.ok()) << again.error().message();
    CHECK(again->times == schedule->times);
  }
  auto part = mete::ParseArrivalTrace(text, mete::Seconds(1));
  if (part.ok()) CheckSchedule(*part);
  if (auto rate = mete::ParseRate(text); rate.ok()) CHECK(*rate > 0);
  if (auto url = mete::ParseLoadUrl(text); url.ok()) {
    CHECK(url->target.find_first_of(" \r\n") == std::string::npos);
  }
  if (auto objective = mete::ParseRateObjective(text); objective.ok()) {
    CHECK(objective->p > 0 && objective->p < 1);
    CHECK(objective->bound.count() > 0);
  }
  return 0;
}
