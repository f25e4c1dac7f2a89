#include <mete/hook.h>  // first: it may set feature-test macros

#include "adapters/torch/libtorch.h"  // before all of ours

#include "adapters/torch/checkpoint.h"
#include "adapters/torch/inference.h"
#include "adapters/torch/libtorch_calls.h"
#include "reference_networks/batches.h"

namespace mete {
namespace {

constexpr int kWarmup = 3;

torch::Tensor Windows(std::vector<float>& samples) {
  const auto count = static_cast<int64_t>(samples.size()) / kWindow;
  return torch::from_blob(samples.data(), {count, 1, kWindow});
}

int64_t CountRight(const torch::Tensor& scores,
                   const std::vector<int64_t>& labels) {
  torch::Tensor found = scores.argmax(1);
  const int64_t* first = found.data_ptr<int64_t>();
  int64_t right = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    right += first[i] == labels[i] ? 1 : 0;
  }
  return right;
}

}  // namespace

struct LoadedNetwork::State {
  InferencePlan plan;
  TorchNetwork network{nullptr};
  std::optional<int64_t> epoch;
};

LoadedNetwork::LoadedNetwork(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
LoadedNetwork::LoadedNetwork(LoadedNetwork&&) noexcept = default;
LoadedNetwork& LoadedNetwork::operator=(LoadedNetwork&&) noexcept = default;
LoadedNetwork::~LoadedNetwork() = default;

Result<LoadedNetwork> LoadedNetwork::Open(const InferencePlan& plan) {
  return Caught(
      "load", ErrorCode::kUnavailable, [&]() -> Result<LoadedNetwork> {
        UseThreads(plan.threads);
        torch::manual_seed(plan.seed);
        auto state = std::make_unique<State>();
        state->plan = plan;
        state->network = TorchNetwork(plan.architecture);
        if (!plan.checkpoint.empty()) {
          ASSIGN_OR_RETURN(BestNetwork best,
                           LoadBest({.folder = plan.checkpoint,
                                     .architecture = plan.architecture,
                                     .input = plan.input},
                                    state->network));
          state->epoch = best.epoch;
        }
        state->network->eval();
        return LoadedNetwork(std::move(state));
      });
}

Result<InferenceResult> LoadedNetwork::Run(const LabelledWindows& windows) {
  return Caught(
      "infer", ErrorCode::kUnavailable, [&]() -> Result<InferenceResult> {
        torch::InferenceMode guard;
        const InferencePlan& plan = state_->plan;
        InferenceResult result{.epoch = state_->epoch};
        PreparedBatch prepared;
        int64_t right = 0;
        size_t next = 0;
        auto begin = std::chrono::steady_clock::now();
        auto is_over = [&](uint64_t done) {
          return done >= kWarmup + plan.iterations &&
                 std::chrono::steady_clock::now() - begin >= plan.duration;
        };
        for (uint64_t i = 0; !is_over(i); ++i) {
          if (i == kWarmup) {
            next = 0;
            begin = std::chrono::steady_clock::now();
          }
          Batch batch(plan.batch);
          for (size_t& place : batch) place = next++ % windows.size();
          Prepare(windows, batch, plan.normalisation, nullptr, prepared);
          torch::Tensor input = Windows(prepared.samples);
          if (i < kWarmup) {
            state_->network->Classify(input);
            continue;
          }
          torch::Tensor scores;
          auto start = std::chrono::steady_clock::now();
          {
            hook::Timer timer("inference");
            scores = state_->network->Classify(input);
          }
          std::chrono::duration<double> taken =
              std::chrono::steady_clock::now() - start;
          result.seconds.push_back(taken.count());
          // Only in the first round.
          size_t fresh = windows.size() - result.windows;
          prepared.labels.resize(std::min(fresh, plan.batch));
          right += CountRight(scores, prepared.labels);
          result.windows += prepared.labels.size();
        }
        result.accuracy =
            static_cast<double>(right) / static_cast<double>(result.windows);
        return result;
      });
}

Result<std::vector<float>> LoadedNetwork::Scores(
    const std::vector<float>& samples) {
  return Caught("infer", ErrorCode::kUnavailable,
                [&]() -> Result<std::vector<float>> {
                  torch::InferenceMode guard;
                  std::vector<float> copy = samples;
                  torch::Tensor scores =
                      state_->network->Classify(Windows(copy)).contiguous();
                  const float* first = scores.data_ptr<float>();
                  return std::vector<float>(first, first + scores.numel());
                });
}

}  // namespace mete
