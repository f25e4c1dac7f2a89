// Stands in for mete-agent: listens to hooks and exports the recent p95 of
// their timers as the agent does. To test with the agent itself, start it with
// the same folder for sockets and ask its port instead.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "adapters/hook/hook_receiver.h"
#include "net/http_server.h"
#include "net/metric_text.h"
#include "support/clock.h"

namespace mete {

class AgentStandIn final : public AppEventSink {
 public:
  // Sockets go into the folder.
  explicit AgentStandIn(const std::filesystem::path& folder)
      : receiver_(*HookReceiver::Open({.folder = folder}, *this, clock_)),
        server_(*HttpServer::Start(
            {.listen = {.host = "127.0.0.1"}},
            [this](const HttpRequest&) { return HttpReply{Page()}; })) {}

  std::string url() const {
    return "http://" + server_->endpoint().Authority();
  }
  std::string socket() const { return receiver_->path().string(); }

  // Of the steps that ended within the last second; absent without any.
  std::optional<double> RecentP95() {
    std::lock_guard lock(mutex_);
    while (!steps_.empty() &&
           clock_.Now() - steps_.front().at > std::chrono::seconds(1)) {
      steps_.pop_front();
    }
    if (steps_.empty()) return std::nullopt;
    std::vector<double> values;
    for (const AppEvent& step : steps_) values.push_back(step.value);
    auto at = values.begin() + static_cast<ptrdiff_t>(values.size() * 95 / 100);
    std::nth_element(values.begin(), at, values.end());
    return *at;
  }

  void Take(const AppEvent& event) override {
    std::lock_guard lock(mutex_);
    if (event.kind == AppMetricKind::kTimer) steps_.push_back(event);
  }
  void TakeLoss(const AppLoss&) override {}

 private:
  HttpResponse Page() {
    static constexpr MetricFamily kFamily{
        .name = "mete_app_recent_duration_seconds",
        .kind = MetricKind::kSummary,
        .help = "How long steps took lately"};
    MetricBatch batch;
    if (auto p95 = RecentP95()) {
      batch.Add(kFamily,
                {{"app", "detector"}, {"metric", "step"}, {"quantile", "0.95"}},
                *p95);
    }
    return {.status = 200,
            .body = WriteMetricPage({&batch}, MetricFormat::kText)};
  }

  SystemClock clock_;
  std::mutex mutex_;
  std::deque<AppEvent> steps_;  // guarded by mutex_
  std::unique_ptr<HookReceiver> receiver_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace mete
