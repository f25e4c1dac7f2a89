// What happened to each request of a load. Times count from the start of the
// window, which all targets share.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "net/http_channel.h"
#include "support/units.h"

namespace mete {

// How a request ended.
enum class RequestFate : uint8_t {
  kAnswered,    // with a status from 200 to 299
  kFailed,      // another status, or no whole answer: see `status`, `fault`
  kUnanswered,  // not answered when the drain ended
  kNotSent,     // the load was interrupted before its time
};

// One request.
struct LoadSample {
  std::chrono::nanoseconds intended{0};  // latency counts from here
  // When the generator got to it; later than intended by its scheduling error.
  std::chrono::nanoseconds dispatched{0};
  // When it was written to a connection; later when all were busy. Absent for
  // requests that got no answer in time.
  std::optional<std::chrono::nanoseconds> sent{};
  std::optional<std::chrono::nanoseconds> received{};  // the whole answer
  RequestFate fate = RequestFate::kUnanswered;
  HttpFault fault = HttpFault::kNone;
  int status = 0;         // 0 without an answer
  uint32_t replica = 0;   // index in LoadTarget::endpoints
  ServerTiming timing{};  // as the service says; absent if it does not

  // Client sojourn time: from the intended time to the whole answer. Absent
  // unless it was answered.
  std::optional<Seconds> Sojourn() const;
};

// All requests of one target, by intended time.
struct LoadSamples {
  std::string name;
  std::vector<LoadSample> samples;
  std::chrono::nanoseconds window{0};   // of its schedule
  std::chrono::nanoseconds drained{0};  // when it stopped waiting for answers
  std::string arrivals;                 // ArrivalSchedule::origin
  bool interrupted = false;
};

}  // namespace mete
