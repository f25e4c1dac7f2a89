#include "cli/show_collecting.h"

#include <fmt/format.h>

#include <cmath>

namespace mete {
namespace {

std::string ShortTime(Seconds time) {
  auto seconds = static_cast<long>(std::lround(time.count()));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min", (seconds + 30) / 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds % 3600 / 60);
}

}  // namespace

CollectCallbacks ShowCollecting(Console& console) {
  return {
      .on_progress =
          [&console](const CollectProgress& progress) {
            std::string left;
            if (progress.left)
              left = ", " + ShortTime(*progress.left) + " left";
            console.Progress(fmt::format("[{}/{}{}] {} on {}", progress.done,
                                         progress.total, left, progress.network,
                                         progress.device));
          },
      .on_step =
          [&console](const std::string& step) { console.Progress(step); },
      .on_engine =
          [&console](const EngineVersion& engine) {
            console.Detail("engine: " + engine.name + " " + engine.version);
          },
      .on_note = [&console](const std::string& note) { console.Warn(note); }};
}

InspectCallbacks InspectTo(Console& console) {
  return {
      .collecting = ShowCollecting(console),
      .detail = [&console](const std::string& line) { console.Detail(line); },
      .warn = [&console](const std::string& line) { console.Warn(line); }};
}

}  // namespace mete
