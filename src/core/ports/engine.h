// Port: an inference engine that loads networks and runs them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "domain/graph.h"
#include "domain/run.h"
#include "domain/tensor.h"
#include "support/result.h"

namespace mete {

// How to load a network.
struct LoadRequest {
  std::filesystem::path path;
  int threads = 1;  // >= 1, for the work inside one operator
  // The session records the time of every node; see EngineSession::NodeTimes.
  bool profile = false;
  EngineOptions options;
};

// Time of one node in one Run call.
struct NodeTime {
  std::string name;
  std::string op;
  size_t iteration = 0;         // counts Run calls from 0
  std::optional<double> start;  // seconds from an arbitrary moment
  double seconds = 0;
};

// A loaded network. Not thread-safe: one caller at a time.
class EngineSession {
 public:
  virtual ~EngineSession() = default;

  // The inputs of the network, including open sizes.
  virtual const std::vector<GraphValue>& inputs() const = 0;

  // Copies the values; they remain until set again. Every input must be given.
  // Fails with kInvalidInput when a name, type or size does not match.
  virtual Status SetInputs(std::span<const TensorValue> values) = 0;

  // One inference on the current inputs. This is the timed region, so an
  // implementation does nothing else here. Frees the outputs of the previous
  // run unless they were released.
  virtual Status Run() = 0;

  // Copies of the outputs of the last Run. Fails with kInvalidInput when
  // nothing was run or they were released.
  virtual Result<std::vector<TensorValue>> Outputs() = 0;

  // Frees the outputs of the last Run, so that this work is not part of the
  // next one's time. Does nothing without outputs.
  virtual void ReleaseOutputs() = 0;

  // Ends profiling and returns what was recorded since loading. Fails with
  // kUnsupported when the session was loaded without `profile`.
  virtual Result<std::vector<NodeTime>> NodeTimes() = 0;
};

// Loads networks.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual EngineVersion version() const = 0;
  // Fails with kNotFound, or kCorrupt/kUnsupported with the engine's reason.
  // An execution provider that the engine lacks is kUnsupported.
  virtual Result<std::unique_ptr<EngineSession>> Load(
      const LoadRequest& request) = 0;
};

}  // namespace mete
