// POST /api/v1/predict: ranks every device for every network in the request,
// with intervals and reasons.
#include <fmt/format.h>

#include <algorithm>

#include "describe/characteristics_json.h"
#include "net/multipart.h"
#include "predict/answers.h"
#include "predict/predict_networks.h"
#include "serve/prediction_routes.h"
#include "serve/profiling_request.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr size_t kMostNetworks = 100;

HttpReply NoObjective() {
  return FieldReply("objective",
                    "\"objective\" is not latency, throughput or energy");
}

// With layers, all features of a network are known, otherwise only its counts.
OrReply<NetworkQuestion> ParseQuestion(const SortedJson& network,
                                       size_t number) {
  std::string field = fmt::format("networks[{}]", number);
  if (!network.is_object()) {
    return FieldReply(field, field + " is not an object");
  }
  auto read = ReadCounts(network);
  auto* question = std::get_if<NetworkQuestion>(&read);
  if (question == nullptr) return read;
  if (question->name.empty()) {
    question->name = fmt::format("network {}", number + 1);
  }
  if (!network.contains("layers")) return read;
  auto described = CharacteristicsFromJson(network);
  if (!described.ok()) {
    return FieldReply(field, field + ": " + described.error().message());
  }
  auto traits = ComputeTraits(*described, question->name, 1);
  if (!traits.ok()) {
    return FieldReply(field, field + ": " + traits.error().message());
  }
  question->traits = *std::move(traits);
  return read;
}

std::optional<HttpReply> ReadLoads(const SortedJson& body,
                                   PredictRequest& asked) {
  auto given = body.find("load");
  if (given == body.end()) return std::nullopt;
  if (!given->is_object()) {
    auto share = ReadShare(body, "load", 1);
    if (auto* refused = std::get_if<HttpReply>(&share)) return *refused;
    asked.nodes.load = std::get<0>(share);
    return std::nullopt;
  }
  for (const auto& [name, value] : given->items()) {
    auto share = ReadShare(*given, name, 1);
    if (auto* refused = std::get_if<HttpReply>(&share)) return *refused;
    if (std::get<0>(share)) asked.nodes.loads[name] = *std::get<0>(share);
  }
  return std::nullopt;
}

std::optional<HttpReply> ReadOptions(const SortedJson& body,
                                     PredictRequest& asked) {
  for (const auto& [key, value] : body.items()) {
    bool known = key == "networks" || key == "objective" || key == "devices" ||
                 key == "load" || key == "batch";
    if (!known) {
      return FieldReply(key, fmt::format("unknown key '{}'; expected "
                                         "networks, objective, devices, load "
                                         "or batch",
                                         key));
    }
  }
  if (auto given = body.find("objective"); given != body.end()) {
    if (!given->is_string()) return NoObjective();
    auto objective = ParseObjective(given->get_ref<const std::string&>());
    if (!objective.ok()) return NoObjective();
    asked.objective = *objective;
  }
  if (auto given = body.find("batch"); given != body.end()) {
    bool sound = given->is_number_unsigned() && given->get<uint64_t>() >= 1 &&
                 given->get<uint64_t>() <= 1'000'000;
    if (!sound) {
      return FieldReply("batch", "\"batch\" is not from 1 to 1000000");
    }
    asked.batch = given->get<int64_t>();
  }
  if (auto given = body.find("devices"); given != body.end()) {
    bool list = given->is_array() && std::ranges::all_of(*given, [](auto& one) {
                  return one.is_string();
                });
    if (!list) {
      return FieldReply("devices", "\"devices\" is not a list of names");
    }
    asked.nodes.names = given->get<std::vector<std::string>>();
  }
  return ReadLoads(body, asked);
}

OrReply<PredictRequest> FromJsonBody(const HttpRequest& request) {
  if (request.Content().size() > kLargestDescription.count) {
    return ErrorReply(
        413, "too_large",
        "the body is larger than " + FormatBytes(kLargestDescription));
  }
  auto body = ParseSortedJson(request.Content());
  if (!body.ok()) return ErrorReply(400, "bad_json", body.error().message());
  if (!body->is_object()) {
    return ErrorReply(400, "bad_json", "expected a JSON object");
  }
  PredictRequest asked;
  if (auto refused = ReadOptions(*body, asked)) return *refused;
  if (asked.batch != 1) {
    return FieldReply("batch",
                      "\"batch\" requires the network itself, uploaded as "
                      "\"file\": counts and layers describe one item");
  }
  auto networks = body->find("networks");
  bool sound = networks != body->end() && networks->is_array() &&
               !networks->empty() && networks->size() <= kMostNetworks;
  if (!sound) {
    return FieldReply("networks",
                      "\"networks\" is not a list of 1 to 100 networks");
  }
  for (const SortedJson& network : *networks) {
    auto question = ParseQuestion(network, asked.networks.size());
    if (auto* refused = std::get_if<HttpReply>(&question)) return *refused;
    asked.networks.push_back(std::get<0>(std::move(question)));
  }
  return asked;
}

// The fields of a form are strings. Converts them to the JSON they stand for.
OrReply<SortedJson> ParseFormOptions(const std::vector<FormPart>& parts) {
  SortedJson options = SortedJson::object();
  for (const FormPart& part : parts) {
    std::string text(part.content.substr(0, 10'000));
    if (part.file_name) continue;
    if (part.name == "devices") {
      options["devices"].push_back(text);
    } else if (part.name == "shape") {
      continue;  // see ShapesOfFile
    } else if (part.name == "load" || part.name == "batch") {
      auto value = ParseSortedJson(text);
      if (!value.ok()) return FieldReply(part.name, value.error().message());
      options[part.name] = *std::move(value);
    } else {
      options[part.name] = text;
    }
  }
  return options;
}

// The shapes of the file at this place: those before the first file, which
// apply to all files, and those between this file and the next.
OrReply<std::vector<ShapeOverride>> ShapesOfFile(
    const std::vector<FormPart>& parts, size_t file) {
  std::vector<ShapeOverride> shapes;
  std::optional<size_t> owner;  // absent before the first file
  for (size_t at = 0; at < parts.size(); ++at) {
    if (parts[at].file_name) owner = at;
    bool own = !owner || *owner == file;
    if (parts[at].file_name || parts[at].name != "shape" || !own) continue;
    auto shape = ParseShapeOverride(parts[at].content.substr(0, 10'000));
    if (!shape.ok()) return FieldReply("shape", shape.error().message());
    shapes.push_back(*std::move(shape));
  }
  return shapes;
}

OrReply<PredictRequest> FromForm(const PredictionContext& context,
                                 const HttpRequest& request) {
  auto parts =
      ParseMultipart(request.fields.at("content-type"), request.Content());
  if (!parts.ok()) return ErrorReply(parts.error());
  auto options = ParseFormOptions(*parts);
  if (auto* refused = std::get_if<HttpReply>(&options)) return *refused;
  PredictRequest asked;
  if (auto refused = ReadOptions(std::get<SortedJson>(options), asked)) {
    return *refused;
  }
  auto folder = ScratchFolder::Create();
  if (!folder.ok()) return ErrorReply(folder.error());
  std::filesystem::path path = folder->path() / "network.onnx";
  for (size_t at = 0; at < parts->size(); ++at) {
    const FormPart& part = (*parts)[at];
    if (!part.file_name) continue;
    if (part.name != "file") {
      return FieldReply(part.name, "upload networks as \"file\"");
    }
    Status written = WriteFileAtomically(path, part.content);
    if (!written.ok()) return ErrorReply(written.error());
    std::string name =
        std::filesystem::path(SafeFileName(*part.file_name)).stem();
    auto shapes = ShapesOfFile(*parts, at);
    if (auto* refused = std::get_if<HttpReply>(&shapes)) return *refused;
    auto uploaded = ReadUpload(
        context, path,
        {.name = name,
         .batch = asked.batch,
         .shapes = std::get<std::vector<ShapeOverride>>(std::move(shapes))});
    if (auto* refused = std::get_if<HttpReply>(&uploaded)) return *refused;
    auto& network = std::get<UploadedNetwork>(uploaded);
    asked.networks.push_back(std::move(network.question));
  }
  if (asked.networks.empty()) {
    return FieldReply("file", "no network was uploaded as \"file\"");
  }
  return asked;
}

OrReply<PredictRequest> ReadRequest(const PredictionContext& context,
                                    const HttpRequest& request) {
  std::string type = MediaType(request);
  if (type == "application/json") return FromJsonBody(request);
  if (type == "multipart/form-data") return FromForm(context, request);
  return ErrorReply(415, "unsupported_media_type",
                    "expected a body of type application/json or "
                    "multipart/form-data");
}

HttpReply NobodyCalled(const UnknownNode& unknown) {
  std::string names;
  for (const std::string& name : unknown.known) {
    names += (names.empty() ? "" : ", ") + name;
    if (names.size() > 1000) break;
  }
  return FieldReply(
      unknown.part == UnknownNode::Part::kNames ? "devices" : "load",
      fmt::format("no node is called '{}'; known nodes: {}", unknown.name,
                  names));
}

}  // namespace

HttpReply AnswerPredict(const PredictionContext& context,
                        const HttpRequest& request) {
  auto read = ReadRequest(context, request);
  if (auto* refused = std::get_if<HttpReply>(&read)) return std::move(*refused);
  const auto& asked = std::get<PredictRequest>(read);
  auto outcome = PredictNetworks(
      asked, {.predictors = context.api.predictors,
              .nodes = [&context]() -> Result<NodeSnapshot> {
                ASSIGN_OR_RETURN(auto ready, context.nodes.Get());
                return NodeSnapshot{.nodes = ready->all,
                                    .taken_at = ready->snapshot->taken_at,
                                    .stale = ready->snapshot->stale};
              }});
  if (!outcome.ok()) return ErrorReply(outcome.error());
  if (std::holds_alternative<NoEnergyPredictor>(*outcome)) {
    return FieldReply("objective", kNoEnergyPredictor);
  }
  if (auto* unknown = std::get_if<UnknownNode>(&*outcome)) {
    return NobodyCalled(*unknown);
  }
  return JsonReply(200, AnswersToJson(std::get<Answers>(*outcome)));
}

}  // namespace mete
