#include "apps/torch/workload_flags.h"

#include <fmt/format.h>

#include <cstdlib>

#include "support/units.h"

namespace mete {
namespace {

constexpr uint64_t kTrainingBatch = 64;
constexpr uint64_t kInferenceBatch = 1;
constexpr int64_t kMost = 1'000'000;

std::string OneOf(const std::string& what,
                  const std::vector<std::string>& names) {
  return fmt::format("{}: {}", what, fmt::join(names, ", "));
}

Status CheckOutput(const std::string& name) {
  if (name == "table" || name == "json") return {};
  return InvalidInput("'" + name + "': expected table or json");
}

// Checks a factor for weights and gradients.
Status CheckRate(const std::string& text) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && value >= 0 && value <= 1) return {};
  return InvalidInput("'" + text + "': expected a number from 0 to 1");
}

// Returns text like "CWRU, mean-std".
std::string DescribeInput(const WorkloadFlags& flags) {
  return flags.data_set + ", " + flags.normalisation;
}

void AddCommonFlags(const Command& command, WorkloadFlags& flags) {
  command
      .Option("--network", flags.network,
              OneOf("Network (default CNN_1d)", ArchitectureNames()))
      .Check([](const std::string& name) { return FindArchitecture(name, 1); },
             "NAME");
  command
      .Option("--dataset", flags.data_set,
              OneOf("Dataset (default synthetic)", DataSetNames()))
      .Check(FindDataSet, "NAME");
  command.Option("--data-dir", flags.data_folder,
                 "Folder with the files of the dataset");
  command.Switch("--partial", flags.partial,
                 "Use the files that exist if some are missing");
  command
      .Option("--normalize", flags.normalisation,
              "Normalization of a window: 0-1 (default), 1-1 or mean-std")
      .Check(ParseNormalisation, "RULE");
  command
      .Option("--split", flags.split,
              "Split into training and validation: O_A (default), "
              "R_A, R_NA, or O_A-legacy (training and validation overlap)")
      .Check(ParseSplitRule, "RULE");
  command.Option("--threads", flags.threads, "Number of threads (default 1)")
      .Within(1, 1024);
  command
      .Option("--seed", flags.seed,
              "Random seed for weights and data (default 42)")
      .Check(ParseCount, "N");
  command
      .Option("-o,--output", flags.output,
              "Output format: table (default) or json")
      .Check(CheckOutput, "FORMAT");
}

// Returns the settings that must be equal to resume from a checkpoint. The
// number of epochs and the paths of files may differ.
std::string DescribeSettings(const WorkloadFlags& flags,
                             const TrainingPlan& plan) {
  std::string text = fmt::format(
      "{} on {}, {}{}, batch {}, {} (rate {}, momentum {}, decay {}), {} "
      "(gamma {}, steps {}), seed {}, threads {}",
      flags.network, DescribeInput(flags), flags.split,
      flags.partial ? " (partial)" : "", plan.batch, flags.optimizer,
      plan.schedule.rate, plan.momentum, plan.weight_decay, flags.scheduler,
      plan.schedule.gamma, flags.steps, plan.seed, plan.threads);
  if (plan.architecture.autoencoder()) {
    text += fmt::format(", {} epochs before, then steps {}", plan.middle_epochs,
                        flags.second_steps);
  }
  return text;
}

}  // namespace

void AddTrainingFlags(const Command& train, WorkloadFlags& flags) {
  AddCommonFlags(train, flags);
  train
      .Option("--checkpoint", flags.checkpoint,
              "Folder for checkpoints; training resumes from it")
      .Placeholder("DIR");
  train.Switch("--fresh", flags.fresh,
               "Start over and replace the checkpoint instead of resuming");
  // Batch normalization needs at least two windows.
  train.Option("--batch", flags.batch, "Batch size, in windows (default 64)")
      .Within(2, kMost);
  train.Option("--epochs", flags.epochs, "Number of epochs (default 10)")
      .Within(1, kMost);
  train
      .Option("--middle-epochs", flags.middle_epochs,
              "Ae1d, Sae1d: reconstruction epochs before classification "
              "(default 10)")
      .Within(0, kMost);
  train
      .Option("--optimizer", flags.optimizer,
              "Optimizer: adam (default) or sgd")
      .Check(ParseOptimizer, "NAME");
  train.Option("--lr", flags.rate, "Learning rate (default 0.001)")
      .Check(CheckRate, "NUMBER");
  train.Option("--momentum", flags.momentum, "Momentum, for sgd (default 0.9)")
      .Check(CheckRate, "NUMBER");
  train
      .Option("--weight-decay", flags.weight_decay,
              "Weight decay (default 1e-5)")
      .Check(CheckRate, "NUMBER");
  train
      .Option("--scheduler", flags.scheduler,
              "Learning rate schedule: fix (default), step, exp or stepLR")
      .Check(ParseScheduleRule, "RULE");
  train
      .Option("--gamma", flags.gamma,
              "Decay factor of the learning rate (default 0.1)")
      .Check(CheckRate, "NUMBER");
  train
      .Option("--steps", flags.steps,
              "Epochs at which the learning rate drops (default 9)")
      .Check(ParseSteps, "LIST");
  train
      .Option("--steps1", flags.second_steps,
              "Ae1d, Sae1d: the same for classification (default 50,80)")
      .Check(ParseSteps, "LIST");
  train.Switch("-q,--quiet", flags.quiet,
               "Do not print a line for every epoch");
  Flag onnx =
      train
          .Option("--onnx", flags.onnx,
                  "File for the trained network (default NETWORK-DATASET.onnx)")
          .Placeholder("FILE");
  train.Switch("--no-onnx", flags.no_onnx, "Do not write an ONNX file")
      .Excludes(onnx);
}

void AddInferenceFlags(const Command& infer, WorkloadFlags& flags) {
  AddCommonFlags(infer, flags);
  infer.Option("--checkpoint", flags.checkpoint, "Folder with best.pt")
      .Placeholder("DIR");
  infer.Option("--batch", flags.batch, "Batch size, in windows (default 1)")
      .Within(1, kMost);
  infer
      .Option("--iterations", flags.iterations,
              "Least number of measured inferences (default 100)")
      .Within(1, kMost);
  infer
      .Option("--duration", flags.duration,
              "Least time that the inferences take together (default 0s)")
      .Check(ParseDuration, "TIME");
}

Status CheckTogether(const WorkloadFlags& flags) {
  ASSIGN_OR_RETURN(ScheduleRule rule, ParseScheduleRule(flags.scheduler));
  ASSIGN_OR_RETURN(auto steps, ParseSteps(flags.steps));
  if (rule == ScheduleRule::kEvery && steps.size() != 1) {
    return InvalidInput("--scheduler stepLR requires one number in --steps");
  }
  ASSIGN_OR_RETURN(DataSetRequest request, MakeDataSetRequest(flags));
  return CheckFolderGiven(request);
}

Result<DataSetRequest> MakeDataSetRequest(const WorkloadFlags& flags) {
  DataSetRequest request{.folder = flags.data_folder,
                         .seed = flags.seed,
                         .partial = flags.partial};
  ASSIGN_OR_RETURN(request.set, FindDataSet(flags.data_set));
  ASSIGN_OR_RETURN(request.rule, ParseSplitRule(flags.split));
  return request;
}

Result<TrainingPlan> MakeTrainingPlan(const WorkloadFlags& flags,
                                      int64_t classes) {
  TrainingPlan plan{.epochs = flags.epochs,
                    .middle_epochs = flags.middle_epochs,
                    .batch = flags.batch.value_or(kTrainingBatch),
                    .seed = flags.seed,
                    .threads = flags.threads,
                    .checkpoint = flags.checkpoint,
                    .fresh = flags.fresh};
  ASSIGN_OR_RETURN(plan.architecture, FindArchitecture(flags.network, classes));
  ASSIGN_OR_RETURN(plan.normalisation, ParseNormalisation(flags.normalisation));
  ASSIGN_OR_RETURN(SplitRule split, ParseSplitRule(flags.split));
  plan.augment = Augments(split);
  ASSIGN_OR_RETURN(plan.optimizer, ParseOptimizer(flags.optimizer));
  plan.momentum = flags.momentum.value_or(plan.momentum);
  plan.weight_decay = flags.weight_decay.value_or(plan.weight_decay);
  ASSIGN_OR_RETURN(plan.schedule.rule, ParseScheduleRule(flags.scheduler));
  plan.schedule.rate = flags.rate.value_or(plan.schedule.rate);
  plan.schedule.gamma = flags.gamma.value_or(plan.schedule.gamma);
  plan.second_schedule = plan.schedule;
  ASSIGN_OR_RETURN(plan.schedule.steps, ParseSteps(flags.steps));
  ASSIGN_OR_RETURN(plan.second_schedule.steps, ParseSteps(flags.second_steps));
  plan.settings = DescribeSettings(flags, plan);
  plan.input = DescribeInput(flags);
  return plan;
}

Result<InferencePlan> MakeInferencePlan(const WorkloadFlags& flags,
                                        int64_t classes) {
  InferencePlan plan{.batch = flags.batch.value_or(kInferenceBatch),
                     .iterations = flags.iterations,
                     .threads = flags.threads,
                     .seed = flags.seed,
                     .checkpoint = flags.checkpoint,
                     .input = DescribeInput(flags)};
  ASSIGN_OR_RETURN(plan.duration, ParseDuration(flags.duration));
  ASSIGN_OR_RETURN(plan.architecture, FindArchitecture(flags.network, classes));
  ASSIGN_OR_RETURN(plan.normalisation, ParseNormalisation(flags.normalisation));
  return plan;
}

}  // namespace mete
