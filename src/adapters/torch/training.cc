#include <mete/hook.h>  // first: it may set feature-test macros

#include "adapters/torch/libtorch.h"  // before all of ours

#include <fmt/format.h>

#include <cmath>

#include "adapters/torch/checkpoint.h"
#include "adapters/torch/libtorch_calls.h"
#include "adapters/torch/training.h"
#include "reference_networks/batches.h"
#include "reference_networks/choice.h"
#include "support/units.h"

namespace mete {
namespace {

using torch::Tensor;
using SteadyClock = std::chrono::steady_clock;  // only for reports

constexpr Named<Optimizer> kOptimizers[] = {{"adam", Optimizer::kAdam},
                                            {"sgd", Optimizer::kSgd}};

// Borrows the samples: the tensors must not outlive the batch.
struct Step {
  Tensor windows;
  Tensor labels;
};
Step MakeStep(PreparedBatch& batch) {
  const auto count = static_cast<int64_t>(batch.labels.size());
  return {torch::from_blob(batch.samples.data(), {count, 1, kWindow}),
          torch::from_blob(batch.labels.data(), {count}, torch::kInt64)};
}

std::unique_ptr<torch::optim::Optimizer> MakeOptimizer(
    const TrainingPlan& plan, double rate, std::vector<Tensor> parameters) {
  if (plan.optimizer == Optimizer::kSgd) {
    return std::make_unique<torch::optim::SGD>(
        std::move(parameters), torch::optim::SGDOptions(rate)
                                   .momentum(plan.momentum)
                                   .weight_decay(plan.weight_decay));
  }
  return std::make_unique<torch::optim::Adam>(
      std::move(parameters),
      torch::optim::AdamOptions(rate).weight_decay(plan.weight_decay));
}

class Training {
 public:
  Training(const TrainingPlan& plan, const SplitWindows& windows,
           const std::function<void(const EpochReport&)>& on_epoch)
      : plan_(plan), windows_(windows), on_epoch_(on_epoch) {}

  Result<TrainingResult> Run() {
    UseThreads(plan_.threads);
    torch::manual_seed(plan_.seed);
    network_ = TorchNetwork(plan_.architecture);
    state_.settings = plan_.settings;
    state_.reconstructing = plan_.architecture.autoencoder();
    RETURN_IF_ERROR(FindCheckpoint());
    if (state_.reconstructing) {
      RETURN_IF_ERROR(RunPhase(plan_.middle_epochs));
      state_.reconstructing = false;
      state_.epochs_done = 0;
    }
    RETURN_IF_ERROR(RunPhase(plan_.epochs));
    result_.best_epoch = state_.best_epoch;
    result_.best_accuracy = state_.best_accuracy;
    return std::move(result_);
  }

 private:
  Status FindCheckpoint() {
    if (plan_.checkpoint.empty() || plan_.fresh) return {};
    std::error_code error;
    const bool there =
        std::filesystem::exists(LastFile(plan_.checkpoint), error);
    if (error) {
      return SystemError("read " + plan_.checkpoint.string(), error.value());
    }
    if (!there) return {};
    ASSIGN_OR_RETURN(state_, ReadState(plan_.checkpoint, plan_.settings));
    const bool autoencoder = plan_.architecture.autoencoder();
    const int64_t epochs =
        state_.reconstructing ? plan_.middle_epochs : plan_.epochs;
    if (state_.epochs_done > epochs) {
      return InvalidInput(fmt::format(
          "{} already has {}, more than {}",
          LastFile(plan_.checkpoint).string(),
          Counted(static_cast<uint64_t>(state_.epochs_done), "epoch"), epochs));
    }
    resumes_ = true;
    result_.resumed_after = state_.epochs_done;
    if (autoencoder && !state_.reconstructing) {
      result_.resumed_after += plan_.middle_epochs;
    }
    if (state_.best_epoch == 0) return {};
    ASSIGN_OR_RETURN(BestNetwork best,
                     LoadBest({.folder = plan_.checkpoint,
                               .architecture = plan_.architecture,
                               .input = plan_.input},
                              network_));
    // It is one epoch ahead if the program ended between the two files.
    state_.best_epoch = best.epoch;
    state_.best_accuracy = best.accuracy;
    result_.best = network_->Trained();
    return {};
  }

  Status RunPhase(int64_t epochs) {
    const Schedule& schedule =
        !state_.reconstructing && plan_.architecture.autoencoder()
            ? plan_.second_schedule
            : plan_.schedule;
    std::unique_ptr<torch::optim::Optimizer> optimizer =
        MakeOptimizer(plan_, schedule.rate,
                      state_.reconstructing ? network_->AutoencoderParameters()
                                            : network_->ClassifierParameters());
    if (resumes_) {
      RETURN_IF_ERROR(LoadLast(plan_.checkpoint, network_, *optimizer));
      resumes_ = false;
    }
    while (state_.epochs_done < epochs) {
      const double rate = schedule.RateAt(state_.epochs_done);
      for (auto& group : optimizer->param_groups())
        group.options().set_lr(rate);
      RETURN_IF_ERROR(RunEpoch(*optimizer, epochs, rate));
    }
    return {};
  }

  Status RunEpoch(torch::optim::Optimizer& optimizer, int64_t epochs,
                  double rate) {
    EpochReport report{.reconstructs = state_.reconstructing,
                       .epoch = state_.epochs_done + 1,
                       .epochs = epochs,
                       .rate = rate};
    const SteadyClock::time_point start = SteadyClock::now();
    {
      hook::Timer timer("epoch");
      Learn(optimizer, report);
    }
    if (!std::isfinite(report.loss)) {
      return Unavailable(fmt::format(
          "epoch {}: the loss is not finite; a smaller learning rate may help",
          report.epoch));
    }
    report.seconds =
        std::chrono::duration<double>(SteadyClock::now() - start).count();
    if (!state_.reconstructing) {
      report.validation = Validate();
      hook::Number("validation_accuracy", *report.validation);
    }
    ++state_.epochs_done;
    RETURN_IF_ERROR(Keep(report, optimizer));
    on_epoch_(report);
    return {};
  }

  // One pass over the training windows. All randomness depends on the seed and
  // the epoch, so that an epoch is the same after an interruption.
  void Learn(torch::optim::Optimizer& optimizer, EpochReport& report) {
    const uint64_t seed = DeriveSeed(
        plan_.seed, (report.reconstructs ? "reconstruct " : "classify ") +
                        std::to_string(report.epoch));
    torch::manual_seed(seed);
    Random random(seed);
    network_->train();
    size_t seen = 0;
    int64_t right = 0;
    for (const Batch& batch :
         MakeBatches(windows_.training.size(), plan_.batch, &random)) {
      Prepare(windows_.training, batch, plan_.normalisation,
              plan_.augment ? &random : nullptr, prepared_);
      Step step = MakeStep(prepared_);
      optimizer.zero_grad();
      Tensor loss;
      if (report.reconstructs) {
        loss = network_->ReconstructionLoss(step.windows);
      } else {
        Tensor scores = network_->Classify(step.windows);
        loss = torch::cross_entropy_loss(scores, step.labels);
        right += scores.argmax(1).eq(step.labels).sum().item<int64_t>();
      }
      loss.backward();
      optimizer.step();
      report.loss += loss.item<double>() * static_cast<double>(batch.size());
      seen += batch.size();
    }
    report.loss /= static_cast<double>(seen);
    if (!report.reconstructs) {
      report.accuracy = static_cast<double>(right) / static_cast<double>(seen);
    }
  }

  double Validate() {
    torch::NoGradGuard no_gradients;
    network_->eval();
    int64_t right = 0;
    for (const Batch& batch :
         MakeBatches(windows_.validation.size(), plan_.batch, nullptr)) {
      Prepare(windows_.validation, batch, plan_.normalisation, nullptr,
              prepared_);
      Step step = MakeStep(prepared_);
      Tensor scores = network_->Classify(step.windows);
      right += scores.argmax(1).eq(step.labels).sum().item<int64_t>();
    }
    return static_cast<double>(right) /
           static_cast<double>(windows_.validation.size());
  }

  Status Keep(const EpochReport& report, torch::optim::Optimizer& optimizer) {
    const bool better =
        report.validation && *report.validation > state_.best_accuracy;
    if (better) {
      state_.best_epoch = report.epoch;
      state_.best_accuracy = *report.validation;
      result_.best = network_->Trained();
    }
    if (plan_.checkpoint.empty()) return {};
    if (better) {
      RETURN_IF_ERROR(SaveBest(plan_.checkpoint,
                               {.network = plan_.architecture.name,
                                .classes = plan_.architecture.classes,
                                .input = plan_.input,
                                .epoch = report.epoch,
                                .accuracy = *report.validation},
                               network_));
    }
    return SaveLast(plan_.checkpoint, state_, network_, optimizer);
  }

  const TrainingPlan& plan_;
  const SplitWindows& windows_;
  const std::function<void(const EpochReport&)>& on_epoch_;
  TorchNetwork network_{nullptr};
  TrainingState state_;
  TrainingResult result_;
  PreparedBatch prepared_;
  bool resumes_ = false;
};

}  // namespace

Result<Optimizer> ParseOptimizer(std::string_view name) {
  return Choose(kOptimizers, "optimizer", name);
}

Result<TrainingResult> Train(
    const TrainingPlan& plan, const SplitWindows& windows,
    const std::function<void(const EpochReport&)>& on_epoch) {
  return Caught("train", ErrorCode::kUnavailable,
                [&] { return Training(plan, windows, on_epoch).Run(); });
}

}  // namespace mete
