#include "agent/application_book.h"

#include <algorithm>

namespace mete {

// Of two kinds under one name the first stays; the other is told apart.
LiveFigures* ApplicationBook::FiguresOf(LiveApplication& application,
                                        const AppEvent& event) {
  auto found = application.metrics.find(event.name);
  if (found != application.metrics.end() &&
      found->second.kind() == event.kind) {
    return &found->second;
  }
  std::string name = event.name;
  if (found != application.metrics.end()) {
    name += event.kind == AppMetricKind::kTimer  ? ".timer"
            : event.kind == AppMetricKind::kRate ? ".rate"
                                                 : ".number";
    found = application.metrics.find(name);
    if (found != application.metrics.end()) return &found->second;
  }
  if (name.empty() || metrics_ >= kMostMetrics) return nullptr;
  ++metrics_;
  return &application.metrics.emplace(name, LiveFigures(event.kind))
              .first->second;
}

LiveApplication* ApplicationBook::Find(int process) {
  const std::chrono::nanoseconds now = clock_.Now();
  auto known = processes_.find(process);
  if (known == processes_.end()) {
    Forget();
    known =
        processes_.emplace(process, Process{settings_.origin_of(process), now})
            .first;
  }
  known->second.heard = now;
  const AppOrigin& origin = known->second.origin;
  auto found = applications_.find(origin);
  if (found == applications_.end()) {
    if (applications_.size() >= kMostApplications) return nullptr;
    found =
        applications_.emplace(origin, LiveApplication{.origin = origin}).first;
    found->second.number = ++appeared_;
  }
  found->second.heard = now;
  return &found->second;
}

void ApplicationBook::Take(const AppEvent& event) {
  std::lock_guard lock(mutex_);
  LiveApplication* application = Find(event.sender);
  if (!application) {
    ++homeless_;
    return;
  }
  LiveFigures* figures = FiguresOf(*application, event);
  if (figures) {
    figures->Take(event);
  } else {
    ++application->dropped;
  }
}

void ApplicationBook::TakeLoss(const AppLoss& loss) {
  std::lock_guard lock(mutex_);
  LiveApplication* application = Find(loss.sender);
  if (!application) {
    homeless_ += loss.events;
    return;
  }
  auto metric = application->metrics.find(loss.name);
  if (metric == application->metrics.end()) {
    application->dropped += loss.events;
  } else {
    metric->second.AddDropped(loss.events);
  }
}

void ApplicationBook::Forget() {
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

uint64_t ApplicationBook::homeless() const {
  std::lock_guard lock(mutex_);
  return homeless_;
}

}  // namespace mete
