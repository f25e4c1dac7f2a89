// All applications that tell something through hooks, with their live figures.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "agent/live_metric.h"
#include "ports/app_event_sink.h"
#include "support/clock.h"

namespace mete {

// Who sends. Processes of the same program in the same container are one
// application.
struct AppOrigin {
  std::string app;
  std::string container;  // "" outside of any
  auto operator<=>(const AppOrigin&) const = default;
};

// What was heard of one application.
struct LiveApplication {
  AppOrigin origin;
  size_t number = 0;  // from 1; that of one that was forgotten is used again
  std::chrono::nanoseconds heard{0};
  uint64_t dropped = 0;  // of no known metric
  std::map<std::string, LiveMetric> metrics;
};

struct ApplicationBookSettings {
  // One that is silent for so long is forgotten.
  std::chrono::seconds expiry{60};
  // Who a process is; called once for each while it is heard of.
  std::function<AppOrigin(int process)> origin_of;
};

// Filled by the receiver's thread and read by others. What strangers send is
// bounded: at most so many applications and metrics are kept apart, further
// ones are counted as dropped.
class ApplicationBook final : public AppEventSink {
 public:
  static constexpr size_t kMostApplications = 256;
  static constexpr size_t kMostMetrics = 512;  // of all together
  static constexpr size_t kMostProcesses = 2048;
  static constexpr size_t kLongestName = 128;  // bytes; the rest is cut off

  ApplicationBook(ApplicationBookSettings settings, const Clock& clock)
      : settings_(std::move(settings)), clock_(clock) {}

  void Take(const AppEvent& event) override;
  void TakeLoss(const AppLoss& loss) override;

  // Calls `look` with those that are not expired, in the order of appearance,
  // while nothing changes: it must be quick.
  void ForEach(const std::function<void(const LiveApplication&)>& look);
  // Events that no application could be found room for.
  uint64_t dropped() const;

 private:
  // Finds out who a process is, where there is room for another.
  void Introduce(int process);
  // Null when there is no room for it. These want the lock.
  LiveApplication* Find(int process);
  LiveMetric* MetricFor(LiveApplication& application, const AppEvent& event);
  void Forget();

  const ApplicationBookSettings settings_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // guards all below
  struct Process {
    AppOrigin origin;
    std::chrono::nanoseconds heard{0};
  };
  std::map<int, Process> processes_;
  std::map<AppOrigin, LiveApplication> applications_;
  size_t metrics_ = 0;
  std::chrono::nanoseconds forgotten_at_{0};
  uint64_t dropped_ = 0;
};

}  // namespace mete
