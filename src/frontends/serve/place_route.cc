// POST /api/v1/place: starts a network where it is predicted to run best, and
// answers with where that is. Also lists and stops what runs.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "measure/network_options.h"
#include "net/multipart.h"
#include "predict/predict_networks.h"
#include "serve/place_candidates.h"
#include "serve/prediction_routes.h"
#include "support/file.h"
#include "support/json.h"
#include "support/private_folder.h"
#include "support/text.h"

namespace mete {
namespace {

namespace fs = std::filesystem;

// What a client wants to place.
struct PlaceQuestion {
  fs::path network;
  bool uploaded = false;  // then the file is ours
  std::string name;
  PredictRequest predict;
  bool dry_run = false;
  std::vector<ShapeOverride> shapes;
};

// An uploaded file that is removed unless a service uses it.
class UploadedNetworkFile {
 public:
  ~UploadedNetworkFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  UploadedNetworkFile() = default;
  UploadedNetworkFile(const UploadedNetworkFile&) = delete;
  UploadedNetworkFile& operator=(const UploadedNetworkFile&) = delete;

  Status Write(fs::path path, std::string_view content) {
    RETURN_IF_ERROR(MakePrivateFolder(path.parent_path()));
    path_ = std::move(path);
    return WriteFileAtomically(path_, content);
  }
  void Keep() { path_.clear(); }

 private:
  fs::path path_;
};

std::optional<HttpReply> TakePlaceOption(const std::string& key,
                                         const std::string& value,
                                         PlaceQuestion& question) {
  if (key == "objective") {
    auto objective = ParseObjective(value);
    if (!objective.ok() || *objective == Objective::kThroughput) {
      return FieldReply(key, "\"objective\" is not latency or energy");
    }
    question.predict.objective = *objective;
  } else if (key == "devices") {
    question.predict.nodes.names = SplitAt(value, ',');
  } else if (key == "name") {
    auto name = ParseServiceName(value);
    if (!name.ok()) return FieldReply(key, name.error().message());
    question.name = *std::move(name);
  } else if (key == "dry_run") {
    if (value != "true" && value != "false") {
      return FieldReply(key, "\"dry_run\" is not true or false");
    }
    question.dry_run = value == "true";
  } else if (key == "shape") {
    auto shape = ParseShapeOverride(value.substr(0, 10'000));
    if (!shape.ok()) return FieldReply(key, shape.error().message());
    question.shapes.push_back(*std::move(shape));
  } else {
    return FieldReply(key, "unknown key '" + Tame(key, 100) +
                               "'; expected path or file, name, devices, "
                               "objective, shape or dry_run");
  }
  return std::nullopt;
}

OrReply<PlaceQuestion> PlaceFromJson(const HttpRequest& request) {
  if (request.Content().size() > kLargestQuestion.count) {
    return ErrorReply(
        413, "too_large",
        "the body is larger than " + FormatBytes(kLargestQuestion));
  }
  auto body = ParseSortedJson(request.Content());
  if (!body.ok()) return ErrorReply(400, "bad_json", body.error().message());
  if (!body->is_object()) {
    return ErrorReply(400, "bad_json", "expected a JSON object");
  }
  PlaceQuestion question;
  for (const auto& [key, value] : body->items()) {
    std::string text;
    if (value.is_string()) text = value.get<std::string>();
    if (value.is_boolean()) text = value.get<bool>() ? "true" : "false";
    if (text.empty()) return FieldReply(key, "\"" + key + "\" is not a text");
    if (key == "path") {
      question.network = text;
      continue;
    }
    if (auto refused = TakePlaceOption(key, text, question)) return *refused;
  }
  if (!question.network.is_absolute()) {
    return FieldReply("path", "\"path\" is not an absolute path");
  }
  return question;
}

// Services of an earlier server may use files of the same pid and number.
fs::path NewUploadPath(const PredictionContext& context,
                       const std::string& name) {
  fs::path path;
  std::error_code unknown;
  do {
    path = context.api.uploads.folder / fmt::format("place-{}-{}-{}.onnx",
                                                    getpid(),
                                                    context.NextNumber(), name);
  } while (fs::exists(path, unknown));
  return path;
}

OrReply<PlaceQuestion> PlaceFromForm(const PredictionContext& context,
                                     const HttpRequest& request,
                                     UploadedNetworkFile& file) {
  auto parts =
      ParseMultipart(request.fields.at("content-type"), request.Content());
  if (!parts.ok()) return ErrorReply(parts.error());
  PlaceQuestion question;
  for (const FormPart& part : *parts) {
    if (!part.file_name) {
      auto refused = TakePlaceOption(
          part.name, std::string(part.content.substr(0, 10'000)), question);
      if (refused) return *refused;
      continue;
    }
    if (part.name != "file" || question.uploaded) {
      return FieldReply(part.name, "upload one network as \"file\"");
    }
    if (auto refused =
            RefuseUploadOf(context.api.uploads, part.content.size())) {
      return *std::move(refused);
    }
    const std::string name = ServiceNameFor(SafeFileName(*part.file_name));
    question.uploaded = true;
    if (question.name.empty()) question.name = name;
    question.network = NewUploadPath(context, name);
    Status written = file.Write(question.network, part.content);
    if (!written.ok()) return ErrorReply(written.error());
  }
  if (!question.uploaded) {
    return FieldReply("file", "no network was uploaded as \"file\"");
  }
  return question;
}

OrReply<PlaceQuestion> ReadPlaceQuestion(const PredictionContext& context,
                                         const HttpRequest& request,
                                         UploadedNetworkFile& file) {
  const std::string type = MediaType(request);
  if (type == "application/json") return PlaceFromJson(request);
  if (type == "multipart/form-data") {
    return PlaceFromForm(context, request, file);
  }
  return ErrorReply(415, "unsupported_media_type",
                    "expected a body of type application/json or "
                    "multipart/form-data");
}

Result<CandidateRanking> RankForPlace(const PredictionContext& context,
                                      const PredictRequest& asked) {
  ASSIGN_OR_RETURN(
      PredictOutcome outcome,
      PredictNetworks(
          asked, {.predictors = context.api.predictors,
                  .nodes = [&context]() -> Result<NodeSnapshot> {
                    ASSIGN_OR_RETURN(auto ready, context.nodes.Get());
                    return NodeSnapshot{.nodes = ready->all,
                                        .taken_at = ready->snapshot->taken_at,
                                        .stale = ready->snapshot->stale};
                  }}));
  if (std::holds_alternative<NoEnergyPredictor>(outcome)) {
    return InvalidInput(kNoEnergyPredictor);
  }
  if (auto* unknown = std::get_if<UnknownNode>(&outcome)) {
    return InvalidInput("no node is called '" + unknown->name + "'");
  }
  ASSIGN_OR_RETURN(std::vector<LocalPlace> places,
                   context.api.placing.local_places());
  return ToCandidates(std::get<Answers>(outcome), places);
}

// What is wrong with a file of the server, in terms of the field that named it.
HttpReply BlamePath(HttpReply reply) {
  auto body = ParseSortedJson(reply.response.body);
  if (reply.response.status != 422 || !body.ok()) return reply;
  return FieldReply("path", (*body)["error"]["message"].get<std::string>());
}

HttpReply Busy(const std::string& why) {
  HttpReply reply = ErrorReply(503, "unavailable", why);
  reply.response.fields["retry-after"] = "1";
  return reply;
}

// Each service is a process with a network in memory.
std::optional<HttpReply> RefuseAnother(const PlacingApi& placing) {
  auto services = placing.services->List(placing.stop);
  if (!services.ok()) return ErrorReply(services.error());
  const auto gone = std::ranges::count(*services, HostedService::State::kGone,
                                       &HostedService::state);
  if (services->size() - static_cast<size_t>(gone) < kMostPlacedServices) {
    return std::nullopt;
  }
  return Busy(
      fmt::format("stop one of the {} services first", kMostPlacedServices));
}

HttpReply NoServices() {
  return ErrorReply(503, "unavailable", "this server starts no services");
}

}  // namespace

HttpReply AnswerPlace(const PredictionContext& context,
                      const HttpRequest& request) {
  const PlacingApi& placing = context.api.placing;
  if (placing.services == nullptr) return NoServices();
  UploadedNetworkFile file;
  auto read = ReadPlaceQuestion(context, request, file);
  if (auto* refused = std::get_if<HttpReply>(&read)) return std::move(*refused);
  auto& question = std::get<PlaceQuestion>(read);
  if (!question.uploaded) {
    Status usable = CheckNetworkFile(question.network);
    if (!usable.ok()) return FieldReply("path", usable.error().message());
  }
  auto described = ReadUpload(context, question.network,
                              {.name = question.network.stem().string(),
                               .batch = 1,
                               .shapes = question.shapes});
  if (auto* refused = std::get_if<HttpReply>(&described)) {
    return question.uploaded ? std::move(*refused)
                             : BlamePath(std::move(*refused));
  }
  std::optional<Turns::Turn> turn;
  if (!question.dry_run) {
    turn = context.starts.Take();
    if (!turn) return Busy("other services are being started; try again");
    if (auto refused = RefuseAnother(placing)) return *std::move(refused);
  }
  question.predict.networks.push_back(
      std::get<UploadedNetwork>(std::move(described)).question);
  auto placed = PlaceNetwork(
      {.network = question.network,
       .app = question.name,
       .upload = question.uploaded ? question.network.string() : "",
       .dry_run = question.dry_run},
      [&] { return RankForPlace(context, question.predict); },
      *placing.services, placing.stop);
  if (!placed.ok()) {
    return placed.error().code() == ErrorCode::kUnsupported
               ? ErrorReply(409, "infeasible", placed.error().message())
               : ErrorReply(placed.error());
  }
  if (placed->service) file.Keep();
  return JsonReply(placed->service ? 201 : 200,
                   NetworkPlacementToJson(*placed));
}

HttpReply AnswerPlaceList(const PredictionContext& context) {
  if (context.api.placing.services == nullptr) return NoServices();
  auto services = context.api.placing.services->List(context.api.placing.stop);
  if (!services.ok()) return ErrorReply(services.error());
  return JsonReply(200, HostedServicesToJson(*services));
}

HttpReply AnswerPlaceStop(const PredictionContext& context,
                          const std::string& id) {
  if (context.api.placing.services == nullptr) return NoServices();
  Status stopped =
      context.api.placing.services->Stop(id, context.api.placing.stop);
  if (!stopped.ok()) return ErrorReply(stopped.error());
  return JsonReply(200, Json{{"id", id}, {"state", "stopped"}});
}

}  // namespace mete
