// Parses arbitrary bytes as WaAP's stream. It must not matter in which pieces
// they arrive, and events are neither in the future nor older than an hour.
#include "adapters/hook/legacy_stream.h"

#include "fuzz/input.h"
#include "support/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  std::string_view text = fuzz::ToText(bytes, size);
  mete::LegacySplitter whole;
  const std::vector<std::string> messages = whole.Feed(text);
  mete::LegacySplitter parts;
  std::vector<std::string> again;
  for (size_t length = 1; !text.empty(); length = length % 7 + 1) {
    for (std::string& message : parts.Feed(text.substr(0, length))) {
      again.push_back(std::move(message));
    }
    text.remove_prefix(std::min(length, text.size()));
  }
  CHECK(again == messages && parts.oversized() == whole.oversized());
  CHECK(parts.rest().size() <= mete::LegacySplitter::kMostBytes + 1);

  const mete::TwoClocks now{.monotonic = std::chrono::hours(5),
                            .wall = std::chrono::system_clock::time_point(
                                std::chrono::hours(500'000))};
  for (const std::string& message : messages) {
    auto values = mete::ParseLegacyMessage(message);
    if (!values.ok()) continue;
    for (const mete::LegacyValue& value : *values) {
      const mete::AppEvent event = mete::ToEvent(value, now);
      CHECK(event.at <= now.monotonic && event.at >= std::chrono::hours(4));
    }
  }
  return 0;
}
