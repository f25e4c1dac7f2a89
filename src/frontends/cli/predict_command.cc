// mete predict: where networks are expected to run fastest, without running
// them.
#include <algorithm>

#include "cli/device_names.h"
#include "cli/predict_check.h"
#include "cli/unconverted_commands.h"
#include "cli/verb.h"
#include "describe/describe.h"
#include "devices/this_device.h"
#include "predict/answers.h"
#include "support/json.h"
#include "support/nearest.h"

namespace mete {
namespace {

struct PredictFlags {
  std::vector<std::string> networks;
  std::vector<std::string> shapes;
  std::string devices;
  bool all = false;
  bool check = false;
  std::string objective = "latency";
  std::string load;
  int64_t batch = 1;
};

// "30" and "30%" are per cent; "0.3", with a point, is a share.
Result<double> ParseLoad(const std::string& text) {
  ASSIGN_OR_RETURN(double load, ParseRatio(text));
  bool share = text.ends_with('%') || text.find('.') != std::string::npos;
  if (!share) load /= 100;
  if (load >= 0 && load <= 1) return load;
  return InvalidInput("'" + text + "' is not a load from 0 % to 100 %");
}

Result<NetworkQuestion> AskAbout(const std::string& path,
                                 const DescribeRequest& request,
                                 GraphReader& reader) {
  ASSIGN_OR_RETURN(Network network, reader.Read(path));
  ASSIGN_OR_RETURN(Characteristics described,
                   Describe(network, request).While("describe " + path));
  std::string name = std::filesystem::path(path).stem();
  ASSIGN_OR_RETURN(NetworkTraits traits,
                   TraitsOf(described, name, request.batch).While(path));
  return NetworkQuestion{
      .name = name, .counts = CountsOf(traits), .traits = std::move(traits)};
}

Result<std::vector<NetworkQuestion>> Questions(Invocation& invocation,
                                               const PredictFlags& flags) {
  DescribeRequest request{.batch = flags.batch, .layers = true};
  for (const std::string& shape : flags.shapes) {
    ASSIGN_OR_RETURN(ShapeOverride given, ParseShapeOverride(shape));
    request.shapes.push_back(std::move(given));
  }
  std::vector<NetworkQuestion> questions;
  for (const std::string& path : flags.networks) {
    ASSIGN_OR_RETURN(NetworkQuestion question,
                     AskAbout(path, request, invocation.services.Reader()));
    questions.push_back(std::move(question));
  }
  return questions;
}

Result<NodeSnapshot> ChosenNodes(const NodeSnapshot& all,
                                 const PredictFlags& flags) {
  NodeSnapshot chosen{.taken_at = all.taken_at, .stale = all.stale};
  std::vector<std::string> known;
  for (const ClusterNode& node : all.nodes) known.push_back(node.name);
  for (const std::string& name : NamesIn(flags.devices)) {
    auto found = std::ranges::find(all.nodes, name, &ClusterNode::name);
    if (found == all.nodes.end()) {
      return NotFound("no device is called '" + name + "'" +
                      DidYouMean(name, known));
    }
    chosen.nodes.push_back(*found);
  }
  if (flags.devices.empty()) chosen.nodes = all.nodes;
  if (!flags.load.empty()) {
    ASSIGN_OR_RETURN(double load, ParseLoad(flags.load));
    for (ClusterNode& node : chosen.nodes) AssumeLoad(node, load);
  }
  return chosen;
}

// Without a Prometheus the devices of the store are the nodes: this machine is
// one of them from its first use on.
Result<NodeSnapshot> KnownNodes(Invocation& invocation) {
  Services& services = invocation.services;
  if (invocation.settings.Text("prometheus.url").empty()) {
    ASSIGN_OR_RETURN(RunStore * store, services.Store());
    invocation.talk.Progress("looking at this machine …");
    Result<Device> here =
        RegisterThisDevice(*store, services.ThisHost(), services.TheClock());
    invocation.talk.ClearProgress();
    if (!here.ok()) return here.error();
  }
  ASSIGN_OR_RETURN(NodeSource * source, services.Nodes());
  ASSIGN_OR_RETURN(auto snapshot, source->Nodes());
  return *snapshot;
}

bool Recommends(const Answers& answers) {
  return std::ranges::all_of(answers.networks, [](const NetworkAnswer& one) {
    return one.ranking.tied > 0;
  });
}

Result<std::vector<CheckedPrediction>> Check(Invocation& invocation,
                                             const Answers& answers,
                                             const PredictFlags& flags) {
  if (answers.objective == Objective::kEnergy || flags.batch != 1 ||
      !flags.shapes.empty()) {
    return InvalidInput(
        "--check measures seconds at batch 1 with the network's own sizes");
  }
  double load = 0;
  if (!flags.load.empty()) {
    ASSIGN_OR_RETURN(load, ParseLoad(flags.load));
  } else if (std::ranges::any_of(answers.nodes.nodes, [](const auto& node) {
               return node.load.has_value();
             })) {
    return InvalidInput(
        "--check runs under one load: say which with --load, since these "
        "devices report loads of their own");
  }
  return CheckPredictions(
      invocation, {.answers = answers, .paths = flags.networks, .load = load});
}

Result<ExitCode> Predict(Invocation& invocation, const PredictFlags& flags) {
  ASSIGN_OR_RETURN(Objective objective, ParseObjective(flags.objective));
  ASSIGN_OR_RETURN(std::vector<NetworkQuestion> questions,
                   Questions(invocation, flags));
  ASSIGN_OR_RETURN(PredictorSet predictors, invocation.services.Predictors());
  if (objective == Objective::kEnergy && !predictors.energy) {
    return Unavailable(
        "nobody measured energy on these devices, so it cannot be predicted");
  }
  ASSIGN_OR_RETURN(NodeSnapshot known, KnownNodes(invocation));
  ASSIGN_OR_RETURN(NodeSnapshot nodes, ChosenNodes(known, flags));
  Answers answers = AnswerAll(predictors, std::move(nodes),
                              std::move(questions), objective, flags.batch);
  std::vector<CheckedPrediction> checks;
  if (flags.check) {
    ASSIGN_OR_RETURN(checks, Check(invocation, answers, flags));
  }
  invocation.output.Print({
      .text =
          [&] {
            std::string text = AnswersText(answers);
            return checks.empty() ? text : text + "\n" + ChecksText(checks);
          },
      .json =
          [&] {
            Json json = AnswersToJson(answers);
            if (flags.check) json["checks"] = ChecksToJson(checks);
            return json;
          },
      .csv =
          [&] { return flags.check ? ChecksCsv(checks) : AnswersCsv(answers); },
  });
  if (answers.nodes.stale) invocation.talk.Warn(*answers.nodes.stale);
  if (predictors.starter) {
    invocation.talk.Note("note: " + std::string(kStarterHint));
  }
  return Recommends(answers) ? ExitCode::kDone : ExitCode::kInfeasible;
}

}  // namespace

void AddPredictCommand(Command root, Verbs& verbs) {
  auto flags = std::make_shared<PredictFlags>();
  Command command = root.Add(
      "predict", "Which device runs a network fastest, without running",
      "mete predict mobilenet-v2.onnx --load 30");
  command.Option("NET.onnx", flags->networks, "Network file").Required();
  Flag devices = command.Option("--device", flags->devices,
                                "Only these, by name: a,b (default: all)");
  command.Switch("--all", flags->all, "All known devices").Excludes(devices);
  command
      .Option("--load", flags->load,
              "Assume this CPU load of the devices (30 or 30%)")
      .Check(ParseLoad, "PERCENT");
  command
      .Option("--objective", flags->objective,
              "latency, throughput or energy (default latency)")
      .Check(ParseObjective, "NAME");
  command.Switch("--check", flags->check,
                 "Then run it on devices that are here, and compare");
  command
      .Option("--shape", flags->shapes, "Sizes of an input: input=1x3x224x224")
      .Check(ParseShapeOverride, "NAME=SIZES")
      .OneEach();
  command
      .Option("--batch", flags->batch,
              "First size of inputs that leave it open (default 1)")
      .Within(1, 1'000'000);
  verbs.push_back({.command = command,
                   .run =
                       [flags](Invocation& invocation) {
                         return Predict(invocation, *flags);
                       },
                   .interruptible = true});
}

}  // namespace mete
