#include "watch/watch_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace mete {
namespace {

using std::chrono::nanoseconds;

constexpr std::chrono::milliseconds kFirstListPatience =
    std::chrono::seconds(30);
constexpr nanoseconds kReloadCheck = std::chrono::seconds(1);
constexpr nanoseconds kFirstRetry = std::chrono::seconds(1);

bool IsHopeless(const Error& error) {
  return error.code() == ErrorCode::kInvalidInput ||
         error.code() == ErrorCode::kPermissionDenied ||
         error.code() == ErrorCode::kUnsupported;
}

// Messages of other threads, delivered by the loop's.
class Mailbox {
 public:
  void Put(std::string message) {
    std::lock_guard lock(mutex_);
    if (messages_.empty() || messages_.back() != message) {
      messages_.push_back(std::move(message));
    }
  }
  std::vector<std::string> Take() {
    std::lock_guard lock(mutex_);
    return std::exchange(messages_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

class WatchLoop {
 public:
  WatchLoop(const WatchLoopOptions& options,
            const WatchDependencies& dependencies,
            const WatchLoopCallbacks& callbacks)
      : request_(options.request),
        period_(options.period),
        clock_(dependencies.clock),
        callbacks_(callbacks),
        rounds_(dependencies) {
    if (dependencies.cluster == nullptr) return;
    mirror_ = std::make_unique<ClusterMirror>(
        *dependencies.cluster, request_.scope,
        [this](const Error& error) { warnings_.Put(error.message()); });
    rounds_.objects = [this](std::stop_token stop) {
      return mirror_->Objects(kFirstListPatience, stop);
    };
    if (!options.lease) return;
    leadership_ = std::make_unique<Leadership>(
        *dependencies.cluster, *options.lease, clock_,
        [this](bool leads, const std::string& holder) {
          notes_.Put(leads ? "this replica leads"
                           : fmt::format("'{}' leads; waiting", holder));
        });
    rounds_.may_write = [this] { return leadership_->leads(); };
  }

  Status Run(std::stop_token stop) {
    nanoseconds due = clock_.Now();
    while (!stop.stop_requested()) {
      Deliver();
      if (leadership_ != nullptr && !leadership_->leads()) {
        if (!Wait(clock_.Now() + kReloadCheck, stop)) break;
        continue;
      }
      request_.analysis_time =
          Seconds(Period()) * request_.config.analysis_share;
      auto report = rounds_.Run(request_, stop);
      Deliver();
      if (report.ok()) {
        retry_ = kFirstRetry;
        callbacks_.round(*report);
      } else if (stop.stop_requested()) {
        break;
      } else if (IsHopeless(report.error())) {
        return report.error();
      }
      due = report.ok() ? NextDue(due) : RetryDue(report.error());
      if (!Wait(due, stop)) break;
    }
    Deliver();
    return {};
  }

 private:
  nanoseconds Period() const {
    return std::chrono::duration_cast<nanoseconds>(
        period_.value_or(request_.config.period));
  }

  // The next multiple of the period; rounds that took longer are left out.
  nanoseconds NextDue(nanoseconds due) const {
    const nanoseconds now = clock_.Now();
    if (due > now) return due + Period();
    return due + Period() * ((now - due) / Period() + 1);
  }

  nanoseconds RetryDue(const Error& error) {
    const nanoseconds wait = std::min(retry_, Period());
    callbacks_.warn(fmt::format(
        "{}; nothing was written; retrying in {}", error.message(),
        FormatSeconds(std::chrono::duration<double>(wait).count())));
    retry_ = std::min(retry_ * 2, Period());
    return clock_.Now() + wait;
  }

  // Waits in short steps, because a new configuration may arrive.
  bool Wait(nanoseconds until, std::stop_token stop) {
    do {
      if (callbacks_.reload) {
        if (auto config = callbacks_.reload()) {
          request_.config = *std::move(config);
          return true;
        }
      }
      nanoseconds left = until - clock_.Now();
      if (left <= nanoseconds(0)) return !stop.stop_requested();
      if (!clock_.SleepFor(std::min(left, kReloadCheck), stop)) return false;
    } while (true);
  }

  void Deliver() {
    for (const std::string& text : notes_.Take()) callbacks_.note(text);
    for (const std::string& text : warnings_.Take()) callbacks_.warn(text);
  }

  WatchRequest request_;
  const std::optional<Seconds> period_;
  Clock& clock_;
  const WatchLoopCallbacks& callbacks_;
  nanoseconds retry_ = kFirstRetry;
  Mailbox warnings_;
  Mailbox notes_;
  WatchRounds rounds_;
  std::unique_ptr<ClusterMirror> mirror_;
  std::unique_ptr<Leadership> leadership_;
};

}  // namespace

Status WatchUntilStopped(const WatchLoopOptions& options,
                         const WatchDependencies& dependencies,
                         const WatchLoopCallbacks& callbacks,
                         std::stop_token stop) {
  return WatchLoop(options, dependencies, callbacks).Run(stop);
}

}  // namespace mete
