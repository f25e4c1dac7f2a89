// Services of a cluster in memory.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ports/cluster_services.h"

namespace mete {

// Thread-safe, like the port.
class FakeClusterServices final : public ClusterServices {
 public:
  // --- what a test does to the cluster
  // A service becomes available when it was looked at this often.
  void ReadyAfter(int looks) {
    std::lock_guard lock(mutex_);
    ready_after_ = looks;
  }
  void MakeReady(const std::string& name) {
    std::lock_guard lock(mutex_);
    kept_.at(name).looks = ready_after_;
  }
  // The service has this problem and never becomes ready.
  void Break(const std::string& name, Error problem) {
    std::lock_guard lock(mutex_);
    problems_.emplace(name, std::move(problem));
  }
  // An object of this name that mete did not create.
  void AddForeign(const std::string& name) {
    std::lock_guard lock(mutex_);
    foreign_.insert(name);
  }
  std::optional<ClusterServiceOrder> Order(const std::string& name) const {
    std::lock_guard lock(mutex_);
    auto found = kept_.find(name);
    if (found == kept_.end()) return std::nullopt;
    return found->second.order;
  }

  // --- ClusterServices
  Status Apply(const ClusterServiceOrder& order, std::stop_token) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(CheckName(order.name));
    if (order.image.empty()) return InvalidInput("no image is given");
    if (order.instances < 1) return InvalidInput("no instance");
    if (order.limits.cpuset || order.limits.pin || order.limits.processes) {
      return Unsupported("pods have no such limit");
    }
    kept_[order.name] = {.order = order};
    return {};
  }
  Result<ClusterServiceStatus> Get(const std::string& name,
                                   std::stop_token) override {
    std::lock_guard lock(mutex_);
    auto found = kept_.find(name);
    if (found == kept_.end()) return NotFound("no service " + name);
    ++found->second.looks;
    return ToStatus(found->second);
  }
  Result<std::vector<ClusterServiceStatus>> List(const LabelMap& labels,
                                                 std::stop_token) override {
    std::lock_guard lock(mutex_);
    std::vector<ClusterServiceStatus> found;
    for (const auto& [name, kept] : kept_) {
      bool matches = true;
      for (const auto& [key, value] : labels) {
        auto label = kept.order.labels.find(key);
        matches = matches && label != kept.order.labels.end() &&
                  label->second == value;
      }
      if (matches) found.push_back(ToStatus(kept));
    }
    return found;
  }
  Status Remove(const std::string& name, std::stop_token) override {
    std::lock_guard lock(mutex_);
    RETURN_IF_ERROR(CheckName(name));
    kept_.erase(name);
    return {};
  }

 private:
  struct Kept {
    ClusterServiceOrder order;
    int looks = 0;
  };

  Status CheckName(const std::string& name) const {
    if (!foreign_.contains(name)) return {};
    return InvalidInput(name + " exists and was not created by mete");
  }

  ClusterServiceStatus ToStatus(const Kept& kept) const {
    const ClusterServiceOrder& order = kept.order;
    ClusterServiceStatus status{.name = order.name,
                                .labels = order.labels,
                                .image = order.image,
                                .port = order.port,
                                .url = "http://" + order.name + ".fake.svc:" +
                                       std::to_string(order.port),
                                .instances = order.instances,
                                .up_to_date = true};
    auto problem = problems_.find(order.name);
    if (problem != problems_.end()) status.problem = problem->second;
    const bool ready = !status.problem && kept.looks >= ready_after_;
    status.ready = ready ? order.instances : 0;
    for (int i = 0; i < order.instances; ++i) {
      status.pods.push_back({.pod = order.name + "-" + std::to_string(i),
                             .node = order.node,
                             .address = ready ? "10.0.0.1" : "",
                             .ready = ready});
    }
    return status;
  }

  mutable std::mutex mutex_;
  int ready_after_ = 2;
  std::map<std::string, Kept> kept_;
  std::map<std::string, Error> problems_;
  std::set<std::string> foreign_;
};

}  // namespace mete
