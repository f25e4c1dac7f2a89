// Keeps all applications that send events through the hooks, with their live
// metrics.
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

// Identifies the sender of events. Processes of the same program in the same
// container are one application.
struct AppOrigin {
  std::string app;
  std::string container;  // "" outside of containers
  auto operator<=>(const AppOrigin&) const = default;
};

// Events received from one application.
struct LiveApplication {
  AppOrigin origin;
  size_t number = 0;  // from 1; reused after an application expires
  std::chrono::nanoseconds heard{0};
  uint64_t dropped = 0;  // events without a known metric
  std::map<std::string, LiveMetric> metrics;
};

// Settings of an ApplicationBook.
struct ApplicationBookSettings {
  // An application that is silent for this long is dropped.
  std::chrono::seconds expiry{60};
  // Finds the origin of a process; called once per process until it expires.
  std::function<AppOrigin(int process)> origin_of;
  DurationBounds bounds = DefaultDurationBounds();  // of all timers
};

// Live metrics of all applications. The receiver's thread writes and other
// threads read. Senders are not trusted, so the numbers of applications,
// metrics and processes are limited; events beyond a limit are counted as
// dropped.
class ApplicationBook final : public AppEventSink {
 public:
  static constexpr size_t kMostApplications = 256;
  static constexpr size_t kMostMetrics = 512;  // of all applications
  // Of one, so that it leaves room for others.
  static constexpr size_t kMostMetricsOfOne = 128;
  static constexpr size_t kMostProcesses = 2048;
  static constexpr size_t kLongestName = 128;  // bytes; longer names are cut

  ApplicationBook(ApplicationBookSettings settings, const Clock& clock)
      : settings_(std::move(settings)), clock_(clock) {}

  void Take(const AppEvent& event) override;
  void TakeLoss(const AppLoss& loss) override;

  // Calls `look` for each application that has not expired, in the order in
  // which they appeared. `look` runs under the lock, so it must be quick.
  void ForEach(const std::function<void(const LiveApplication&)>& look);
  // Events dropped because there was no room for another application.
  uint64_t dropped() const;

 private:
  // Finds the origin of a process if there is room for another process.
  void Introduce(int process);
  // Null when there is no room for it. This and the functions below require the
  // lock.
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
