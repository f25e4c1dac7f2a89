// WaAP's protocol: JSON objects {name: {"value": v, "timestamp": t}}, each
// followed by a blank line, over a stream that may join and split them
// anywhere.
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

// One value of a message. WaAP's library sends the seconds of a timer, the
// 1/seconds of a rate and a number in the same way; they cannot be
// distinguished.
struct LegacyValue {
  std::string name;
  double value = 0;
  // seconds since 1970, by the app's wall clock
  std::optional<double> timestamp;
};

// The values of one message. Fails with kCorrupt when it is not a JSON object,
// or a member is not {"value": <number>}.
Result<std::vector<LegacyValue>> ParseLegacyMessage(std::string_view text);

// Splits a stream into messages, however the bytes arrive.
class LegacySplitter {
 public:
  // A longer message is discarded up to the next blank line.
  static constexpr size_t kMostBytes = 65536;

  // The messages that `bytes` completes.
  std::vector<std::string> Feed(std::string_view bytes);

  uint64_t oversized() const { return oversized_; }
  // Bytes of an incomplete message.
  const std::string& rest() const { return rest_; }

 private:
  std::string rest_;
  bool discarding_ = false;
  uint64_t oversized_ = 0;
};

// Both clocks, read at the same time.
struct TwoClocks {
  std::chrono::nanoseconds monotonic{};
  std::chrono::system_clock::time_point wall;
};

// Converts the value to an event of a number series. The wall time is mapped to
// the monotonic clock; a time that is missing, in the future or more than an
// hour old becomes now.
AppEvent ToEvent(const LegacyValue& value, const TwoClocks& now);

}  // namespace mete
