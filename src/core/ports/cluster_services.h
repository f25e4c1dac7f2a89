// Port: services that a cluster runs until they are removed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/cluster_object.h"
#include "machine/limits.h"
#include "support/clock.h"
#include "support/result.h"

namespace mete {

// A service to run.
struct ClusterServiceOrder {
  // Unique in the namespace: lower-case letters, digits and dashes, a letter
  // first, at most 63.
  std::string name;
  std::string image;
  std::vector<std::string> arguments{};  // of the image's entry point
  uint16_t port = 8000;                  // that it listens on
  // A GET of this path succeeds once it can serve; empty: as soon as it runs.
  std::string ready_path{};
  std::string node{};  // by name; empty: the scheduler decides
  int instances = 1;
  // Memory and CPUs of each instance, both reserved and enforced. A cluster has
  // no other limits.
  Limits limits{};
  LabelMap labels{};  // to find it again
};

// One instance of a service.
struct ClusterInstance {
  std::string pod;
  std::string node;     // "" before it is scheduled
  std::string address;  // "10.244.1.7"; "" before it runs
  bool ready = false;
};

// A service as the cluster reports it.
struct ClusterServiceStatus {
  std::string name;
  LabelMap labels;
  std::string image;
  uint16_t port = 0;
  std::string url;    // in the cluster: "http://web.ml.svc:8000"
  int instances = 0;  // that were ordered
  int ready = 0;      // that serve
  // All instances are of the last order, and none of an earlier one is left.
  bool up_to_date = false;
  std::vector<ClusterInstance> pods;  // by name; without those that are ending
  // Why an instance does not become ready, once the cluster knows: kUnsupported
  // if no node fits (which may change), kNotFound for a missing image,
  // kInvalidInput for an order that cannot run, kUnavailable for a program that
  // ends.
  std::optional<Error> problem{};

  bool Available() const { return up_to_date && ready >= instances; }
};

// Runs services in one namespace and knows those of mete only. Thread-safe.
// Every call fails with kUnavailable or kTimeout when the API server does not
// respond after retries, with kPermissionDenied when our rights do not suffice,
// and with kInterrupted when `stop` is requested.
class ClusterServices {
 public:
  virtual ~ClusterServices() = default;

  // Creates the service, or changes the one of this name. Returns before it
  // runs. Fails with kInvalidInput when the server rejects it, or when the name
  // belongs to something that mete did not create. A service that could not be
  // created leaves nothing behind.
  virtual Status Apply(const ClusterServiceOrder& order,
                       std::stop_token stop) = 0;
  // Fails with kNotFound when there is none of this name.
  virtual Result<ClusterServiceStatus> Get(const std::string& name,
                                           std::stop_token stop) = 0;
  // Those with all of these labels, by name.
  virtual Result<std::vector<ClusterServiceStatus>> List(
      const LabelMap& labels, std::stop_token stop) = 0;
  // Its instances end soon after. Succeeds if it is gone already. Fails with
  // kInvalidInput when mete did not create it.
  virtual Status Remove(const std::string& name, std::stop_token stop) = 0;
};

// How long to wait for a service.
struct ServicePatience {
  // Until it is available, including the time to pull its image.
  std::chrono::nanoseconds start = std::chrono::minutes(10);
  // While no node fits: other pods may end, or a node may join.
  std::chrono::nanoseconds unschedulable = std::chrono::seconds(30);
  std::chrono::nanoseconds look_every = std::chrono::seconds(1);
};

// Returns when all of its instances serve. Fails with its problem, with
// kTimeout, and with kInterrupted; the service stays.
Result<ClusterServiceStatus> AwaitService(ClusterServices& services,
                                          Clock& clock, const std::string& name,
                                          const ServicePatience& patience,
                                          std::stop_token stop);

}  // namespace mete
