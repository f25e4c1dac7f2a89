#include "agent/application_book.h"

#include <algorithm>
#include <set>

#include "support/text.h"

namespace mete {
namespace {

// Returns the smallest number that no application uses.
size_t FreeNumber(const std::map<AppOrigin, LiveApplication>& applications) {
  std::set<size_t> taken;
  for (const auto& [origin, application] : applications) {
    taken.insert(application.number);
  }
  size_t number = 1;
  while (taken.contains(number)) ++number;
  return number;
}

}  // namespace

// If two kinds of metric share a name, the first keeps it and the other gets a
// suffix.
LiveMetric* ApplicationBook::MetricFor(LiveApplication& application,
                                       const AppEvent& event) {
  std::string name = Tame(event.name, kLongestName);
  auto found = application.metrics.find(name);
  if (found != application.metrics.end() &&
      found->second.kind() == event.kind) {
    return &found->second;
  }
  if (found != application.metrics.end()) {
    name += event.kind == AppMetricKind::kTimer  ? ".timer"
            : event.kind == AppMetricKind::kRate ? ".rate"
                                                 : ".number";
    found = application.metrics.find(name);
    if (found != application.metrics.end()) return &found->second;
  }
  if (name.empty() || metrics_ >= kMostMetrics ||
      application.metrics.size() >= kMostMetricsOfOne) {
    return nullptr;
  }
  ++metrics_;
  return &application.metrics
              .emplace(name, LiveMetric(event.kind, settings_.bounds))
              .first->second;
}

// Finding the origin reads files in /proc, so it happens without the lock,
// which would block readers.
void ApplicationBook::Introduce(int process) {
  {
    std::lock_guard lock(mutex_);
    if (processes_.contains(process)) return;
  }
  AppOrigin origin = settings_.origin_of(process);
  origin.app = Tame(origin.app, kLongestName);
  origin.container = Tame(origin.container, kLongestName);
  std::lock_guard lock(mutex_);
  constexpr std::chrono::seconds kForgetEvery{1};
  const std::chrono::nanoseconds now = clock_.Now();
  if (now - forgotten_at_ >= kForgetEvery) Forget();
  if (processes_.size() >= kMostProcesses) return;
  processes_.emplace(process, Process{std::move(origin), now});
}

LiveApplication* ApplicationBook::Find(int process) {
  auto known = processes_.find(process);
  if (known == processes_.end()) return nullptr;
  known->second.heard = clock_.Now();
  const AppOrigin& origin = known->second.origin;
  auto found = applications_.find(origin);
  if (found == applications_.end()) {
    if (applications_.size() >= kMostApplications) return nullptr;
    const size_t number = FreeNumber(applications_);
    found = applications_
                .emplace(origin,
                         LiveApplication{.origin = origin, .number = number})
                .first;
  }
  found->second.heard = known->second.heard;
  return &found->second;
}

void ApplicationBook::Take(const AppEvent& event) {
  Introduce(event.sender);
  std::lock_guard lock(mutex_);
  LiveApplication* application = Find(event.sender);
  if (!application) {
    ++dropped_;
    return;
  }
  LiveMetric* live_metric = MetricFor(*application, event);
  if (live_metric) {
    live_metric->Take(event);
  } else {
    ++application->dropped;
  }
}

void ApplicationBook::TakeLoss(const AppLoss& loss) {
  Introduce(loss.sender);
  std::lock_guard lock(mutex_);
  LiveApplication* application = Find(loss.sender);
  if (!application) {
    dropped_ += loss.events;
    return;
  }
  auto metric = application->metrics.find(Tame(loss.name, kLongestName));
  if (metric == application->metrics.end()) {
    application->dropped += loss.events;
  } else {
    metric->second.AddDropped(loss.events);
  }
}

void ApplicationBook::Forget() {
  forgotten_at_ = clock_.Now();
  const std::chrono::nanoseconds oldest = clock_.Now() - settings_.expiry;
  std::erase_if(processes_,
                [&](const auto& one) { return one.second.heard < oldest; });
  std::erase_if(applications_, [&](const auto& one) {
    if (one.second.heard >= oldest) return false;
    metrics_ -= one.second.metrics.size();
    return true;
  });
}

void ApplicationBook::ForEach(
    const std::function<void(const LiveApplication&)>& look) {
  std::lock_guard lock(mutex_);
  Forget();
  std::vector<const LiveApplication*> order;
  for (const auto& [origin, application] : applications_) {
    order.push_back(&application);
  }
  std::ranges::sort(order, {}, &LiveApplication::number);
  for (const LiveApplication* application : order) look(*application);
}

uint64_t ApplicationBook::dropped() const {
  std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace mete
