// The predecessor's wire: JSON objects {name: {"value": v, "timestamp": t}},
// each followed by a blank line, over a stream that joins and splits them as
// it likes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/app_metrics.h"
#include "support/result.h"

namespace mete {

// One value of a message. Its library sends a timer's seconds, a rate's
// 1/seconds and a number alike: which it was does not arrive.
struct LegacyValue {
  std::string name;
  double value = 0;
  std::optional<double> timestamp;  // seconds since 1970, on its wall clock
};

// The values of one message. Fails with kCorrupt when it is no JSON object, or
// when one of its members is not {"value": <number>}.
Result<std::vector<LegacyValue>> ParseLegacyMessage(std::string_view text);

// Cuts a stream into messages, however the bytes come.
class LegacySplitter {
 public:
  // A message that is longer is thrown away up to the next blank line.
  static constexpr size_t kMostBytes = 65536;

  // The messages that `bytes` complete.
  std::vector<std::string> Feed(std::string_view bytes);

  uint64_t oversized() const { return oversized_; }
  // What waits for its blank line.
  const std::string& rest() const { return rest_; }

 private:
  std::string rest_;
  bool discarding_ = false;
  uint64_t oversized_ = 0;
};

// When both clocks are read together.
struct TwoClocks {
  std::chrono::nanoseconds monotonic{};
  std::chrono::system_clock::time_point wall;
};

// The value as an event of a number series. Its wall time is carried over to
// the monotonic clock; one that is missing, from the future or more than an
// hour old becomes now.
AppEvent ToEvent(const LegacyValue& value, const TwoClocks& now);

}  // namespace mete
