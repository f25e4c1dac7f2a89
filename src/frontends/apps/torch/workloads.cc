#include <mete/hook.h>  // first: it sets feature macros of libc

#include <fmt/format.h>

#include <iostream>
#include <numeric>

#include "adapters/matlab/mat_reader.h"
#include "adapters/onnx/graph_writer.h"
#include "apps/torch/workloads.h"
#include "stats/quantile.h"
#include "support/file.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

std::string Percent(double share) {
  return fmt::format("{:.2f} %", share * 100);
}

void PrintEpoch(const EpochReport& report) {
  std::string phase = report.reconstructs ? "reconstruction epoch" : "epoch";
  std::string line = fmt::format("{} {}/{}  loss {:.4f}", phase, report.epoch,
                                 report.epochs, report.loss);
  if (report.accuracy) line += "  training " + Percent(*report.accuracy);
  if (report.validation) line += "  validation " + Percent(*report.validation);
  std::cerr << line << fmt::format("  {:.2f} s\n", report.seconds);
}

Json EpochJson(const EpochReport& report) {
  Json json = {{"phase", report.reconstructs ? "reconstruct" : "classify"},
               {"epoch", report.epoch},
               {"learning_rate", report.rate},
               {"loss", report.loss},
               {"seconds", report.seconds}};
  SetNumber(json, "training_accuracy", report.accuracy);
  SetNumber(json, "validation_accuracy", report.validation);
  return json;
}

// Counts encoder, classifier and decoder, without layers that are never used.
uint64_t CountParameters(const Architecture& net) {
  return ParameterCount(net.encoder) + ParameterCount(net.classifier) +
         ParameterCount(net.decoder);
}

Result<SplitWindows> SetUp(const DataSetRequest& request) {
  hook::Timer timer("setup");
  MatReader reader;
  return Load(request, reader);
}

std::string OnnxFile(const WorkloadFlags& flags) {
  if (flags.no_onnx) return "";
  if (!flags.onnx.empty()) return flags.onnx;
  return flags.network + "-" + flags.data_set + ".onnx";
}

Status WriteOnnx(const std::string& file, const Architecture& architecture,
                 const Weights& weights) {
  if (file.empty()) return {};
  TrainedNetwork trained = MakeTrainedNetwork(architecture, weights);
  OnnxGraphWriter writer;
  return writer.Write(trained.draft, file);
}

// The fields that both results have in common.
Json CommonJson(const WorkloadFlags& flags, const Architecture& net) {
  return {{"network", net.name},
          {"dataset", flags.data_set},
          {"classes", net.classes},
          {"parameters", CountParameters(net)},
          {"normalize", flags.normalisation},
          {"split", flags.split},
          {"seed", flags.seed},
          {"threads", flags.threads}};
}

void PrintTraining(const WorkloadFlags& flags, const TrainingPlan& plan,
                   const TrainingResult& result, const SplitWindows& windows,
                   const Json& epochs) {
  const std::string onnx = OnnxFile(flags);
  if (flags.output == "json") {
    Json json = CommonJson(flags, plan.architecture);
    json["training_windows"] = windows.training.size();
    json["validation_windows"] = windows.validation.size();
    json["resumed_after"] = result.resumed_after;
    json["epochs"] = epochs;
    json["best_epoch"] = result.best_epoch;
    json["best_validation_accuracy"] = result.best_accuracy;
    if (!onnx.empty()) json["onnx"] = onnx;
    std::cout << DumpJson(json) << '\n';
    return;
  }
  std::cout << fmt::format(
      "{} on {}: {} of {} validation windows correct (epoch {} of {})\n",
      plan.architecture.name, flags.data_set, Percent(result.best_accuracy),
      windows.validation.size(), result.best_epoch, plan.epochs);
  if (!onnx.empty()) std::cout << "network in " << onnx << '\n';
}

void PrintInference(const WorkloadFlags& flags, const InferencePlan& plan,
                    const InferenceResult& result) {
  const std::vector<double>& seconds = result.seconds;
  const double mean = std::accumulate(seconds.begin(), seconds.end(), 0.0) /
                      static_cast<double>(seconds.size());
  const double p50 = Quantile(seconds, 0.5).value();
  const double p99 = Quantile(seconds, 0.99).value();
  if (flags.output == "json") {
    Json json = CommonJson(flags, plan.architecture);
    json["batch"] = plan.batch;
    json["iterations"] = seconds.size();
    json["mean_seconds"] = mean;
    json["p50_seconds"] = p50;
    json["p99_seconds"] = p99;
    json["windows"] = result.windows;
    json["accuracy"] = result.accuracy;
    json["checkpoint_epoch"] = result.epoch ? Json(*result.epoch) : Json();
    std::cout << DumpJson(json) << '\n';
    return;
  }
  std::cout << fmt::format(
      "{} on {}: {} mean of {} (p50 {}, p99 {}), batch {}\n",
      plan.architecture.name, flags.data_set, FormatSeconds(mean),
      Counted(seconds.size(), "iteration"), FormatSeconds(p50),
      FormatSeconds(p99), plan.batch);
  if (result.epoch) {
    std::cout << fmt::format("{} of {} windows correct (weights of epoch {})\n",
                             Percent(result.accuracy), result.windows,
                             *result.epoch);
  } else {
    std::cout << "weights are random; use --checkpoint DIR for trained ones\n";
  }
}

}  // namespace

Status RunTraining(const WorkloadFlags& flags) {
  mete_timer init = mete_timer_start("init");
  ASSIGN_OR_RETURN(DataSetRequest request, MakeDataSetRequest(flags));
  ASSIGN_OR_RETURN(TrainingPlan plan,
                   MakeTrainingPlan(flags, request.set.classes));
  const std::string onnx = OnnxFile(flags);
  if (!onnx.empty()) RETURN_IF_ERROR(CheckWritable(onnx));
  mete_timer_stop(init);
  ASSIGN_OR_RETURN(SplitWindows windows, SetUp(request));
  if (flags.partial) {
    std::cerr << fmt::format("found {} of {} files of {}\n", windows.recordings,
                             request.set.recordings.size(), request.set.name);
  }
  // The same command with other files is a different training.
  plan.settings += fmt::format(", {} windows", windows.training.size());
  Json epochs = Json::array();
  Result<TrainingResult> result = [&] {
    hook::Timer evaluate("evaluate");
    return Train(plan, windows, [&](const EpochReport& report) {
      epochs.push_back(EpochJson(report));
      if (!flags.quiet) PrintEpoch(report);
    });
  }();
  RETURN_IF_ERROR(result);
  if (epochs.empty() && !flags.quiet) {
    std::cerr << "nothing left to train: " << flags.checkpoint
              << " contains all epochs\n";
  }
  RETURN_IF_ERROR(WriteOnnx(onnx, plan.architecture, result->best));
  PrintTraining(flags, plan, *result, windows, epochs);
  return {};
}

Status RunInference(const WorkloadFlags& flags) {
  mete_timer init = mete_timer_start("init");
  ASSIGN_OR_RETURN(DataSetRequest request, MakeDataSetRequest(flags));
  ASSIGN_OR_RETURN(InferencePlan plan,
                   MakeInferencePlan(flags, request.set.classes));
  request.keep_training = false;
  request.most_validation = plan.iterations * plan.batch;
  ASSIGN_OR_RETURN(LoadedNetwork network, LoadedNetwork::Open(plan));
  mete_timer_stop(init);
  ASSIGN_OR_RETURN(SplitWindows windows, SetUp(request));
  Result<InferenceResult> result = [&] {
    hook::Timer evaluate("evaluate");
    return network.Run(windows.validation);
  }();
  RETURN_IF_ERROR(result);
  PrintInference(flags, plan, *result);
  return {};
}

}  // namespace mete
