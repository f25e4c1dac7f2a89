// An engine whose inferences advance the test's clock by the times in a script.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ports/engine.h"
#include "tests/fakes/fake_clock.h"

namespace mete {

// Defines the fake's only network and its behaviour. Iterations are numbered
// from 0 in each session.
struct EngineScript {
  std::filesystem::path network = "net.onnx";
  std::vector<GraphValue> inputs = {
      {.name = "input",
       .type = {.type = ElementType::kFloat, .shape = KnownShape({1, 4})}}};
  std::chrono::nanoseconds load_time = std::chrono::milliseconds(30);
  std::function<std::chrono::nanoseconds(size_t)> latency = [](size_t) {
    return std::chrono::milliseconds(10);
  };
  // Time to free the outputs of a run, in ReleaseOutputs or in the next run.
  std::chrono::nanoseconds release_time{0};
  double cpu_share = 1;  // CPU time per wall time
  std::optional<Error> load_failure;
  std::function<std::optional<Error>(size_t)> run_failure =
      [](size_t) -> std::optional<Error> { return std::nullopt; };
  std::optional<Error> outputs_failure;
  // Called inside Run, for example to request a stop.
  std::function<void(size_t)> on_run = [](size_t) {};
  // Nodes in graph order, for sessions that profile; iteration is filled in.
  std::vector<NodeTime> nodes = {
      {.name = "conv", .op = "Conv", .seconds = 0.006},
      {.name = "relu", .op = "Relu", .seconds = 0.002}};
};

// Records the calls, for tests to inspect.
struct EngineLog {
  std::vector<LoadRequest> loads;
  size_t runs = 0;                            // in all sessions
  size_t inputs_set = 0;                      // calls of SetInputs
  std::vector<std::vector<TensorValue>> fed;  // by each run of any session
};

// Runs the network of the script.
class FakeEngine final : public Engine {
 public:
  FakeEngine(FakeClock& clock, EngineScript script)
      : clock_(clock), script_(std::move(script)) {}

  EngineVersion version() const override {
    return {.name = "fake", .version = "1.0"};
  }
  Result<std::unique_ptr<EngineSession>> Load(
      const LoadRequest& request) override {
    log_.loads.push_back(request);
    if (request.path != script_.network) {
      return NotFound("load " + request.path.string() + ": no such file");
    }
    if (script_.load_failure) return *script_.load_failure;
    clock_.Advance(script_.load_time);
    return std::unique_ptr<EngineSession>(
        std::make_unique<Session>(*this, request.profile));
  }

  const EngineLog& log() const { return log_; }

 private:
  class Session final : public EngineSession {
   public:
    Session(FakeEngine& engine, bool profile)
        : engine_(engine), profile_(profile) {}

    const std::vector<GraphValue>& inputs() const override {
      return engine_.script_.inputs;
    }

    Status SetInputs(std::span<const TensorValue> values) override {
      ++engine_.log_.inputs_set;
      for (const GraphValue& input : inputs()) {
        RETURN_IF_ERROR(Check(input, values));
      }
      if (values.size() != inputs().size()) {
        return InvalidInput("set inputs: an input the network does not have");
      }
      values_.assign(values.begin(), values.end());
      return {};
    }

    Status Run() override {
      if (values_.empty()) return InvalidInput("run: inputs are not set");
      ReleaseOutputs();
      size_t iteration = runs_++;
      ++engine_.log_.runs;
      engine_.log_.fed.push_back(values_);
      engine_.script_.on_run(iteration);
      if (auto failure = engine_.script_.run_failure(iteration)) {
        return *failure;
      }
      auto time = engine_.script_.latency(iteration);
      auto cpu = std::chrono::nanoseconds(static_cast<int64_t>(
          static_cast<double>(time.count()) * engine_.script_.cpu_share));
      engine_.clock_.Advance(time, cpu);
      has_outputs_ = true;
      return {};
    }

    Result<std::vector<TensorValue>> Outputs() override {
      if (!has_outputs_) return InvalidInput("read outputs: nothing has run");
      if (engine_.script_.outputs_failure) {
        return *engine_.script_.outputs_failure;
      }
      std::vector<TensorValue> outputs = {
          {.name = "output", .type = ElementType::kFloat, .sizes = {1}}};
      outputs[0].bytes.resize(sizeof(float));
      return outputs;
    }

    void ReleaseOutputs() override {
      if (has_outputs_) engine_.clock_.Advance(engine_.script_.release_time);
      has_outputs_ = false;
    }

    Result<std::vector<NodeTime>> NodeTimes() override {
      if (!profile_) return Unsupported("node times: loaded without profile");
      std::vector<NodeTime> times;
      for (size_t iteration = 0; iteration < runs_; ++iteration) {
        for (NodeTime node : engine_.script_.nodes) {
          node.iteration = iteration;
          times.push_back(std::move(node));
        }
      }
      return times;
    }

   private:
    static Status Check(const GraphValue& input,
                        std::span<const TensorValue> values) {
      for (const TensorValue& value : values) {
        if (value.name != input.name) continue;
        if (value.type != input.type.type) {
          return InvalidInput("set inputs: " + input.name + ": another type");
        }
        if (ByteCount(value.type, KnownShape(value.sizes)) !=
            value.bytes.size()) {
          return InvalidInput("set inputs: " + input.name + ": another size");
        }
        return {};
      }
      return InvalidInput("set inputs: " + input.name + " is missing");
    }

    FakeEngine& engine_;
    bool profile_;
    std::vector<TensorValue> values_;
    size_t runs_ = 0;
    bool has_outputs_ = false;
  };

  FakeClock& clock_;
  EngineScript script_;
  EngineLog log_;
};

}  // namespace mete
