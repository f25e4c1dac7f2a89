// Port: starts services that outlive mete, and ends them.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "machine/limits.h"
#include "support/result.h"

namespace mete {

// A service to start.
struct ServiceOrder {
  std::string app;  // its name in URLs
  // Absolute path of an ONNX file of this machine, "image:" and the path of one
  // in the image of the container, or a network of the zoo.
  std::string network;
  std::string device;  // for people; on a cluster the name of the node
  Limits limits;       // of the device, or of the instance
  int threads = 1;
  std::string launcher = "process";  // or "docker", "kubernetes"
  std::string image{};               // of containers
  std::string plan{};                // that it is part of; "" without one
  // Behind one address. More than one in clusters only.
  int instances = 1;
  std::string upload{};  // file to remove with the service; "" for none
};

// A service that was started, whether or not it still runs.
struct HostedService {
  enum class State { kStarting, kRunning, kGone };

  std::string id;
  ServiceOrder order;
  State state = State::kStarting;
  std::string url;  // "http://127.0.0.1:41234"; "" until it runs
  // Identifies the process that keeps it: "PID-START-NAMESPACE". A process that
  // gets the same pid later has another start.
  std::string keeper;
  std::string boot;  // of the machine, while that process runs
  // The epoch if it is not known.
  std::chrono::system_clock::time_point started_at;
  std::string log;  // file with its output; "" in a cluster
};

// Starts and ends services. Thread-safe.
class ServiceHost {
 public:
  virtual ~ServiceHost() = default;

  // Returns when the service answers. Fails with the last line of its log if it
  // ends before that, with kTimeout, or with kInterrupted; nothing is left
  // then.
  virtual Result<HostedService> Start(const ServiceOrder& order,
                                      std::stop_token stop) = 0;
  // Those that were started and not stopped, oldest first.
  virtual Result<std::vector<HostedService>> List(std::stop_token stop) = 0;
  // Lets it answer what is queued, ends it and removes its files. Succeeds if
  // it is gone already. Fails with kNotFound for an unknown id.
  virtual Status Stop(const std::string& id, std::stop_token stop) = 0;
};

std::string_view ToString(HostedService::State state);

// The path of a network in the image, or nothing if it is another kind.
std::optional<std::string> PathInImage(const std::string& network);
// Whether the network is a file of this machine.
bool IsLocalFile(const std::string& network);

}  // namespace mete
