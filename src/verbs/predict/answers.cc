#include "predict/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/clock.h"
#include "support/json.h"
#include "support/table.h"
#include "support/text.h"
#include "support/units.h"

namespace mete {
namespace {

const LatencyPredictor* Used(const Answers& answers,
                             const NetworkQuestion& question) {
  const PredictorSet& set = answers.predictors;
  if (answers.objective == Objective::kEnergy) return set.energy.get();
  return question.traits && set.full ? set.full.get() : set.counts.get();
}

Json DeviceToJson(const Answers& answers, const DeviceAnswer& answer) {
  const ClusterNode& node = answers.nodes.nodes[answer.node];
  Json json;
  json["node"] = node.name;
  SetText(json, "class", node.kind);
  SetText(json, "device_model", node.device_model);
  SetText(json, "node_uuid", node.uuid);
  json["emulated"] = node.emulated;
  SetNumber(json, "load", node.load);
  json["state"] = answer.estimate ? "predicted" : "unknown";
  if (answer.estimate) {
    const Estimate& estimate = *answer.estimate;
    bool energy = answers.objective == Objective::kEnergy;
    json[energy ? "joules" : "seconds"] = estimate.value;
    json["interval"] = {{"low", estimate.low},
                        {"high", estimate.high},
                        {"coverage", kCoverage}};
    if (answers.objective == Objective::kThroughput && estimate.value > 0) {
      json["inferences_per_second"] =
          static_cast<double>(answers.batch) / estimate.value;
    }
    if (!estimate.beyond_training.empty()) {
      json["beyond_training"] = estimate.beyond_training;
    }
    if (!estimate.device_beyond_training.empty()) {
      json["device_beyond_training"] = estimate.device_beyond_training;
    }
  }
  if (answer.fits_memory) json["fits_memory"] = *answer.fits_memory;
  json["reasons"] = answer.reasons;
  return json;
}

Json NetworkToJson(const Answers& answers, const NetworkAnswer& network) {
  const NetworkQuestion& question = network.question;
  Json json;
  json["name"] = question.name;
  if (question.traits) SetText(json, "sha256", question.traits->sha256);
  json["known_by"] = question.traits ? "layers" : "counts";
  if (const LatencyPredictor* used = Used(answers, question)) {
    json["predictor"] = used->origin();
  }
  json["tied"] = network.ranking.tied;
  json["devices"] = Json::array();
  for (const DeviceAnswer& answer : network.ranking.devices) {
    json["devices"].push_back(DeviceToJson(answers, answer));
  }
  return json;
}

// "8.71 ms", "31.5 /s", "0.3 J".
std::string FormatValue(const Answers& answers, double value) {
  switch (answers.objective) {
    case Objective::kLatency:
      return FormatSeconds(value);
    case Objective::kThroughput:
      return FormatScaled(static_cast<double>(answers.batch) / value) + "/s";
    case Objective::kEnergy:
      return fmt::format("{:.3g} J", value);
  }
  return "";
}

std::string IntervalText(const Answers& answers, const Estimate& estimate) {
  bool inverse = answers.objective == Objective::kThroughput;
  return fmt::format(
      "{} to {}", FormatValue(answers, inverse ? estimate.high : estimate.low),
      FormatValue(answers, inverse ? estimate.low : estimate.high));
}

std::string Headline(const Answers& answers, const NetworkAnswer& network) {
  const Ranking& ranking = network.ranking;
  const std::string& name = network.question.name;
  if (ranking.tied == 0) {
    return Wrapped(fmt::format("{}: no device can be recommended", name));
  }
  const DeviceAnswer& best = ranking.devices.front();
  const auto& nodes = answers.nodes.nodes;
  std::string text =
      fmt::format("{}: {} on {} ({}, 90 %)", name,
                  FormatValue(answers, best.estimate->value),
                  nodes[best.node].name, IntervalText(answers, *best.estimate));
  if (ranking.tied > 1) {
    std::vector<std::string> others;
    for (size_t i = 1; i < ranking.tied; ++i) {
      others.push_back(nodes[ranking.devices[i].node].name);
    }
    text +=
        fmt::format("; not distinguishable from {}", fmt::join(others, ", "));
  }
  return Wrapped(text);
}

std::string LoadText(const ClusterNode& node) {
  return node.load ? fmt::format("{:.0f} %", 100 * *node.load) : "?";
}

std::string FitsText(const DeviceAnswer& answer) {
  if (!answer.fits_memory) return "?";
  return *answer.fits_memory ? "yes" : "no";
}

std::string RankingText(const Answers& answers, const Ranking& ranking) {
  Table table({{"device"},
               {"predicted", Align::kRight},
               {"90 % interval"},
               {"load", Align::kRight},
               {"fits"}});
  for (const DeviceAnswer& answer : ranking.devices) {
    const ClusterNode& node = answers.nodes.nodes[answer.node];
    std::string name = ShortenMiddle(node.name, 28);
    if (node.emulated) name += " (emulated)";
    table.AddRow(
        {name,
         answer.estimate ? FormatValue(answers, answer.estimate->value)
                         : "unknown",
         answer.estimate ? IntervalText(answers, *answer.estimate) : "",
         LoadText(node), FitsText(answer)});
  }
  return table.Text();
}

// Explains a wide interval in one sentence each for the network and the device.
std::vector<std::string> BeyondTexts(const DeviceAnswer& answer) {
  std::vector<std::string> texts;
  if (!answer.estimate) return texts;
  const Estimate& estimate = *answer.estimate;
  if (!estimate.beyond_training.empty()) {
    texts.push_back(fmt::format("outside the training range: {}",
                                fmt::join(estimate.beyond_training, "; ")));
  }
  if (!estimate.device_beyond_training.empty()) {
    texts.push_back(
        fmt::format("differs from the devices of the training, so the interval "
                    "is wider: {}",
                    fmt::join(estimate.device_beyond_training, "; ")));
  }
  return texts;
}

// Notes on single devices. A note that holds for several is printed once.
std::string ReasonsText(const Answers& answers, const Ranking& ranking) {
  std::vector<std::pair<std::string, std::string>> reasons;  // note and devices
  for (const DeviceAnswer& answer : ranking.devices) {
    std::vector<std::string> own = answer.reasons;
    for (std::string& text : BeyondTexts(answer)) {
      own.push_back(std::move(text));
    }
    const std::string& name = answers.nodes.nodes[answer.node].name;
    for (const std::string& reason : own) {
      auto known = std::ranges::find(
          reasons, reason, &std::pair<std::string, std::string>::first);
      if (known == reasons.end()) {
        reasons.emplace_back(reason, name);
      } else {
        known->second += ", " + name;
      }
    }
  }
  std::string text;
  for (const auto& [reason, names] : reasons) {
    text += Wrapped(names + ": " + reason);
  }
  return text;
}

}  // namespace

std::string_view ToString(Objective objective) {
  switch (objective) {
    case Objective::kLatency:
      return "latency";
    case Objective::kThroughput:
      return "throughput";
    case Objective::kEnergy:
      return "energy";
  }
  return "";
}

Result<Objective> ParseObjective(std::string_view name) {
  for (Objective objective :
       {Objective::kLatency, Objective::kThroughput, Objective::kEnergy}) {
    if (ToString(objective) == name) return objective;
  }
  return InvalidInput(
      fmt::format("'{}' is not one of latency, throughput, energy", name));
}

Answers AnswerAll(const PredictorSet& predictors, NodeSnapshot nodes,
                  std::vector<NetworkQuestion> questions, Objective objective,
                  int64_t batch) {
  Answers answers{.objective = objective,
                  .batch = batch,
                  .predictors = predictors,
                  .nodes = std::move(nodes)};
  for (NetworkQuestion& question : questions) {
    Ranking ranking =
        RankDevices(predictors, question, answers.nodes.nodes, objective);
    answers.networks.push_back({std::move(question), std::move(ranking)});
  }
  return answers;
}

Json AnswersToJson(const Answers& answers) {
  Json json;
  json["objective"] = ToString(answers.objective);
  json["batch"] = answers.batch;
  json["starter"] = answers.predictors.bundled;
  if (answers.predictors.bundled) json["hint"] = kBundledHint;
  Json nodes;
  nodes["taken_at"] = FormatUtc(answers.nodes.taken_at);
  nodes["stale"] = answers.nodes.stale.has_value();
  if (answers.nodes.stale) nodes["reason"] = *answers.nodes.stale;
  json["nodes"] = std::move(nodes);
  json["networks"] = Json::array();
  for (const NetworkAnswer& network : answers.networks) {
    json["networks"].push_back(NetworkToJson(answers, network));
  }
  return json;
}

std::string AnswersText(const Answers& answers) {
  std::string text;
  for (const NetworkAnswer& network : answers.networks) {
    if (!text.empty()) text += '\n';
    text += Headline(answers, network) + '\n';
    text += RankingText(answers, network.ranking);
    std::string reasons = ReasonsText(answers, network.ranking);
    if (!reasons.empty()) text += '\n' + reasons;
  }
  return text;
}

std::string AnswersCsv(const Answers& answers) {
  bool energy = answers.objective == Objective::kEnergy;
  std::string unit = energy ? "joules" : "seconds";
  Table table({{"network"},
               {"rank"},
               {"node"},
               {"emulated"},
               {"load"},
               {unit},
               {unit + "_low"},
               {unit + "_high"},
               {"fits_memory"}});
  auto number = [](double value) { return fmt::format("{}", value); };
  for (const NetworkAnswer& network : answers.networks) {
    size_t rank = 0;
    for (const DeviceAnswer& answer : network.ranking.devices) {
      const ClusterNode& node = answers.nodes.nodes[answer.node];
      const std::optional<Estimate>& estimate = answer.estimate;
      table.AddRow(
          {network.question.name, std::to_string(++rank), node.name,
           node.emulated ? "true" : "false",
           node.load ? number(*node.load) : "",
           estimate ? number(estimate->value) : "",
           estimate ? number(estimate->low) : "",
           estimate ? number(estimate->high) : "",
           answer.fits_memory ? (*answer.fits_memory ? "true" : "false") : ""});
    }
  }
  return table.Csv();
}

}  // namespace mete
