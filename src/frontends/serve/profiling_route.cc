// POST /api/profiling: the node of the cluster that is predicted to run a
// network fastest, in the format of the PEPPER profiler.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices/device_kinds.h"
#include "predict/answers.h"
#include "serve/prediction_routes.h"
#include "serve/profiling_request.h"
#include "support/json.h"
#include "support/units.h"

namespace mete {
namespace {

// The maximum number of names in a list before "and N others".
constexpr size_t kMostNamed = 8;

std::string Listed(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < names.size() && i < kMostNamed; ++i) {
    list += (i == 0 ? "" : "; ") + names[i];
  }
  if (names.size() > kMostNamed) {
    list += "; and " + Counted(names.size() - kMostNamed, "other");
  }
  return list;
}

HttpReply NobodyKnown(const ReadyNodes& nodes) {
  std::vector<std::string> reasons;
  for (const ClusterNode& node : nodes.all) {
    if (node.unknown) reasons.push_back(node.name + ": " + *node.unknown);
  }
  return ErrorReply(503, "unavailable",
                    nodes.all.empty()
                        ? "no nodes are known; set prometheus.url to a server "
                          "that lists them, or "
                          "run mete measure once on each device with this store"
                        : "no node can be predicted for: " + Listed(reasons));
}

HttpReply UnknownType(const std::string& type, const ReadyNodes* nodes) {
  std::vector<std::string> known = KnownKinds();
  if (nodes != nullptr) {
    for (const ClusterNode& node : nodes->known) {
      known.push_back(node.device_model.empty() ? node.name
                                                : node.device_model);
    }
  }
  std::string names;
  for (const std::string& name : known) {
    names += (names.empty() ? "" : ", ") + name;
    if (names.size() > 1000) break;
  }
  return FieldReply("device_type",
                    fmt::format("unknown device '{}'; known devices: {}; "
                                "or send its device_facts",
                                type.substr(0, 100), names));
}

// Returns the device of a standalone request.
OrReply<ClusterNode> Resolve(const StandaloneDevice& device,
                             const PredictionContext& context) {
  auto nodes = context.nodes.Get();
  const ReadyNodes* ready = nodes.ok() ? nodes->get() : nullptr;
  std::optional<ClusterNode> found;
  if (!device.type.empty()) {
    found =
        FindKind(device.type,
                 ready != nullptr ? ready->known : std::vector<ClusterNode>());
  }
  if (!found && !device.facts) return UnknownType(device.type, ready);
  ClusterNode node = found.value_or(ClusterNode{.name = device.type});
  if (device.facts) {
    // The facts describe another machine than the known one.
    node.facts = *device.facts;
    node.micro.reset();
    node.limits.reset();
    node.memory_available.reset();
  }
  AssumeLoad(node, device.load.value_or(0));
  return node;
}

// The body keeps PEPPER's format. Additional information is in the headers.
std::string WarningFor(const PredictorSet& predictors) {
  if (!predictors.bundled) return "";
  return fmt::format("199 mete \"{}\"", kBundledHint);
}

// Trees cannot extrapolate: beyond the training data they repeat the nearest
// answer they know.
std::string DoubtAbout(const DeviceAnswer& answer) {
  if (!answer.estimate || answer.estimate->beyond_training.empty()) return "";
  return fmt::format(
      "outside the range of the training data, so less reliable: {}",
      fmt::join(answer.estimate->beyond_training, "; "));
}

OrReply<BestNode> PredictStandalone(const PredictionContext& context,
                                    const ProfilingRequest& asked) {
  auto predictors = context.api.predictors();
  if (!predictors.ok()) return ErrorReply(predictors.error());
  auto node = Resolve(*asked.device, context);
  if (auto* refused = std::get_if<HttpReply>(&node)) return *refused;
  Ranking ranking =
      RankDevices(**predictors, asked.question, {std::get<0>(std::move(node))},
                  Objective::kLatency);
  const DeviceAnswer& answer = ranking.devices.front();
  if (!answer.estimate) {
    return ErrorReply(503, "unavailable", answer.reasons.at(0));
  }
  return BestNode{
      .prediction = {{"model", asked.question.name},
                     {"predicted_execution_time", answer.estimate->value}},
      .warning = WarningFor(**predictors),
      .doubt = DoubtAbout(answer)};
}

HttpReply Answer(ProfilingRequest asked, BestNode node) {
  SortedJson json;
  json["message"] = "Profiling data received";
  json["model_characteristics"] = std::move(asked.body);
  json["profiling_prediction"] = std::move(node.prediction);
  json["status"] = "success";
  if (!node.doubt.empty()) json["warning"] = std::move(node.doubt);
  return JsonReply(200, json);
}

// Escapes text for a quoted string in a header.
std::string Quotable(std::string text) {
  for (char& c : text) {
    if (c < ' ' || c > '~' || c == '"' || c == '\\') c = '\'';
  }
  return text;
}

}  // namespace

OrReply<BestNode> PredictBestNode(const PredictionContext& context,
                                  const NetworkQuestion& question) {
  auto predictors = context.api.predictors();
  if (!predictors.ok()) return ErrorReply(predictors.error());
  auto nodes = context.nodes.Get();
  if (!nodes.ok()) return ErrorReply(nodes.error());
  const ReadyNodes& ready = **nodes;
  if (ready.known.empty()) return NobodyKnown(ready);
  Ranking ranking = RankDevices(**predictors, question, ready.known,
                                Objective::kLatency, Detail::kNumbers);
  const DeviceAnswer& best = ranking.devices.front();
  if (!best.estimate) {
    return ErrorReply(503, "unavailable",
                      "no node can be predicted for: " + best.reasons.at(0));
  }
  const ClusterNode& node = ready.known[best.node];
  BestNode answer;
  answer.prediction = {{"class", node.kind},
                       {"device_model", node.device_model},
                       {"model", question.name},
                       {"node", node.name},
                       {"node_uuid", node.uuid},
                       {"predicted_execution_time", best.estimate->value}};
  answer.warning = WarningFor(**predictors);
  // Texts cost time, so only the chosen node gets them.
  answer.doubt = DoubtAbout(RankDevices(**predictors, question, {node},
                                        Objective::kLatency, Detail::kWords)
                                .devices.front());
  if (ready.snapshot->stale) {
    answer.warning += fmt::format("{}110 mete \"the node data is stale: {}\"",
                                  answer.warning.empty() ? "" : ", ",
                                  Quotable(*ready.snapshot->stale));
  }
  return answer;
}

HttpReply AnswerProfiling(const PredictionContext& context,
                          const HttpRequest& request) {
  auto read = ReadProfilingRequest(request);
  if (auto* refused = std::get_if<HttpReply>(&read)) return std::move(*refused);
  auto& asked = std::get<ProfilingRequest>(read);
  auto best = asked.device ? PredictStandalone(context, asked)
                           : PredictBestNode(context, asked.question);
  if (auto* refused = std::get_if<HttpReply>(&best)) return *refused;
  auto& node = std::get<BestNode>(best);
  std::string warning = node.warning;
  HttpReply reply = Answer(std::move(asked), std::move(node));
  if (!warning.empty()) reply.response.fields["warning"] = warning;
  return reply;
}

}  // namespace mete
