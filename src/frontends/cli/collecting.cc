#include "cli/collecting.h"

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

OnCollectProgress ShowProgress(Talk& talk) {
  return [&talk](const CollectProgress& progress) {
    std::string left;
    if (progress.left) left = ", " + ShortTime(*progress.left) + " left";
    talk.Progress(fmt::format("[{}/{}{}] {} on {}", progress.done,
                              progress.total, left, progress.network,
                              progress.device));
  };
}

}  // namespace

DevicePorts DevicePortsOf(Invocation& invocation, RunStore& store) {
  Services& services = invocation.services;
  return {.store = store,
          .benches = services.Benches(),
          .host = services.ThisHost(),
          .writer = services.Writer(),
          .clock = services.TheClock(),
          .progress = [&invocation](const std::string& text) {
            invocation.talk.Progress(text);
          }};
}

Result<CollectSummary> CollectShown(Invocation& invocation, RunStore& store,
                                    const CollectRequest& request) {
  Services& services = invocation.services;
  Result<CollectSummary> summary = Collect(
      request,
      {.store = store,
       .benches = services.Benches(),
       .reader = services.Reader(),
       .writer = services.Writer(),
       .host = services.ThisHost(),
       .clock = services.TheClock(),
       .new_machine_probe = [&services] { return services.NewMachineProbe(); }},
      ShowProgress(invocation.talk), invocation.stop);
  invocation.talk.ClearProgress();
  if (!summary.ok()) return summary;
  for (const std::string& note : summary->notes) invocation.talk.Warn(note);
  return summary;
}

Status CollectWhole(Invocation& invocation, RunStore& store,
                    const CollectRequest& request) {
  ASSIGN_OR_RETURN(CollectSummary summary,
                   CollectShown(invocation, store, request));
  if (!summary.interrupted) return {};
  return Error(ErrorCode::kInterrupted,
               "stopped; the same command goes on from here");
}

}  // namespace mete
