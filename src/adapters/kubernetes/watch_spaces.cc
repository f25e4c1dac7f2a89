#include "adapters/kubernetes/watch_spaces.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <variant>
#include <vector>

#include "adapters/kubernetes/list_watch.h"

namespace mete {
namespace {

// What the thread of a namespace reports: an event, trouble, or its end.
struct SpaceReport {
  std::string space;
  std::variant<ClusterEvent, Error, Status> what;
};

// From the threads to the caller.
class SpaceReports {
 public:
  void Add(SpaceReport report) {
    std::lock_guard lock(mutex_);
    reports_.push_back(std::move(report));
    changed_.notify_all();
  }
  std::optional<SpaceReport> Next(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return !reports_.empty(); })) {
      return std::nullopt;
    }
    SpaceReport report = std::move(reports_.front());
    reports_.pop_front();
    return report;
  }

 private:
  std::mutex mutex_;  // guards the rest
  std::condition_variable_any changed_;
  std::deque<SpaceReport> reports_;
};

// The pods of all namespaces, for the lists that contain them all.
class PodsBySpace {
 public:
  explicit PodsBySpace(const std::vector<std::string>& spaces)
      : missing_(spaces.begin(), spaces.end()) {}

  // Returns the event to pass on; absent until every namespace was listed.
  std::optional<ClusterEvent> Take(const std::string& space,
                                   ClusterEvent event) {
    auto& pods = pods_[space];
    if (event.change == ClusterChange::kRelisted) {
      pods.clear();
      missing_.erase(space);
      for (PodObject& pod : event.objects.pods) {
        std::string name = pod.meta.ref.name;
        pods.insert_or_assign(std::move(name), std::move(pod));
      }
      if (!missing_.empty()) return std::nullopt;
      return Everything();
    }
    for (const PodObject& pod : event.objects.pods) {
      if (event.change == ClusterChange::kDeleted) {
        pods.erase(pod.meta.ref.name);
      } else {
        pods.insert_or_assign(pod.meta.ref.name, pod);
      }
    }
    if (!missing_.empty()) return std::nullopt;
    return event;
  }

 private:
  ClusterEvent Everything() const {
    ClusterEvent event{.change = ClusterChange::kRelisted};
    for (const auto& [space, pods] : pods_) {
      for (const auto& [name, pod] : pods) event.objects.pods.push_back(pod);
    }
    return event;
  }

  std::set<std::string> missing_;  // namespaces that were not listed yet
  std::map<std::string, std::map<std::string, PodObject>> pods_;
};

void WatchOne(const SpacesWatch& watch, const std::string& space,
              SpaceReports& reports, std::stop_token stop) {
  WatchCallbacks callbacks{.event =
                               [&](const ClusterEvent& event) {
                                 reports.Add({space, event});
                               },
                           .trouble =
                               [&](const Error& error) {
                                 reports.Add({space, error});
                               }};
  Status ended = WatchCollection(
      watch.client, MakeCollection(WatchedKind::kPods, watch.scope, space),
      callbacks, watch.clock, std::move(stop));
  reports.Add({space, ended});
}

}  // namespace

Status WatchSpaces(const SpacesWatch& watch, std::stop_token stop) {
  SpaceReports reports;
  PodsBySpace pods(watch.scope.spaces);
  std::vector<std::jthread> threads;
  for (const std::string& space : watch.scope.spaces) {
    threads.emplace_back([&watch, &reports, space](std::stop_token own) {
      WatchOne(watch, space, reports, own);
    });
  }
  std::stop_callback end_all(stop, [&] {
    for (std::jthread& thread : threads) thread.request_stop();
  });
  while (auto report = reports.Next(stop)) {
    if (auto* error = std::get_if<Error>(&report->what)) {
      if (watch.callbacks.trouble) watch.callbacks.trouble(*error);
    } else if (auto* ended = std::get_if<Status>(&report->what)) {
      if (!ended->ok()) return *ended;  // the threads stop and are joined
    } else if (auto event =
                   pods.Take(report->space,
                             std::get<ClusterEvent>(std::move(report->what)))) {
      watch.callbacks.event(*event);
    }
  }
  return {};
}

}  // namespace mete
