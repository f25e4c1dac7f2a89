// POST /upload: keeps a network file, describes it and predicts for it, in the
// format of the PEPPER profiler.
#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

#include "net/multipart.h"
#include "serve/prediction_routes.h"
#include "support/file.h"
#include "support/json.h"
#include "support/private_folder.h"

namespace mete {
namespace {

namespace fs = std::filesystem;

// PEPPER's errors of this route are plain text.
HttpReply PlainError(const char* message) {
  return JsonReply(400, SortedJson{{"error", message}});
}

struct UploadForm {
  UploadedFile file;
  std::optional<uint64_t> input_size;
  std::optional<uint64_t> output_size;
  std::vector<ShapeOverride> shapes;
};

OrReply<UploadForm> ReadForm(const std::vector<FormPart>& parts) {
  UploadForm form;
  for (const FormPart& part : parts) {
    if (part.name == "file" && part.file_name) {
      form.file = {.file_name = *part.file_name, .content = part.content};
    }
    if (part.name == "shape") {
      auto shape = ParseShapeOverride(part.content.substr(0, 10'000));
      if (!shape.ok()) return FieldReply("shape", shape.error().message());
      form.shapes.push_back(*std::move(shape));
    }
    auto* size = part.name == "model_input_size"    ? &form.input_size
                 : part.name == "model_output_size" ? &form.output_size
                                                    : nullptr;
    if (size == nullptr || part.content.empty()) continue;
    auto count = ParseCount(part.content);
    if (!count.ok()) return FieldReply(part.name, count.error().message());
    *size = *count;
  }
  if (form.file.file_name.empty()) return PlainError("No selected file");
  form.file.file_name = SafeFileName(form.file.file_name);
  std::string ending = fs::path(form.file.file_name).extension();
  for (char& c : ending) c = static_cast<char>(c | 0x20);  // lower case
  if (ending != ".onnx") return PlainError("File type not allowed");
  return form;
}

// A temporary file that is removed unless it is renamed to its final name.
class Incoming {
 public:
  explicit Incoming(fs::path path) : path_(std::move(path)) {}
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;
  ~Incoming() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }

  const fs::path& path() const { return path_; }
  Status Name(const fs::path& name) {
    std::error_code error;
    fs::rename(path_, name, error);
    if (error) return SystemError("keep " + name.string(), error.value());
    path_.clear();
    return {};
  }

 private:
  fs::path path_;
};

// The sizes in the form apply if the network's own are unknown or differ.
void FillSizes(const UploadForm& form, NetworkCounts& counts) {
  if (form.input_size) {
    counts.input_bytes = static_cast<double>(*form.input_size);
  }
  if (form.output_size) {
    counts.output_bytes = static_cast<double>(*form.output_size);
  }
}

// The output of PEPPER's extractor, by its names.
SortedJson LegacyCharacteristics(const UploadedNetwork& network,
                                 const UploadForm& form) {
  const LegacyCounts& counts = network.described.counts;
  SortedJson json = {{"model", network.question.name},
                     {"conv_layers", counts.conv_layers},
                     {"pool_layers", counts.pool_layers},
                     {"fc_layers", counts.fc_layers},
                     {"filter_details", counts.filter_details},
                     {"total_parameters", counts.total_parameters}};
  auto input =
      form.input_size ? form.input_size : network.described.model_input_size;
  auto output =
      form.output_size ? form.output_size : network.described.model_output_size;
  if (input) json["model_input_size"] = *input;
  if (output) json["model_output_size"] = *output;
  return json;
}

// Why a file could not be described, without local paths.
HttpReply Undescribed(const Error& error, const fs::path& path,
                      const std::string& name) {
  std::string why = error.message();
  if (size_t at = why.find(path.string()); at != std::string::npos) {
    why.replace(at, path.string().size(), name);
  }
  if (error.code() == ErrorCode::kUnsupported) {
    return ErrorReply(413, "too_large", why);
  }
  if (error.code() == ErrorCode::kUnavailable) return ErrorReply(error);
  return FieldReply("file", why);
}

uint64_t UsedSpace(const fs::path& folder) {
  uint64_t used = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    uint64_t size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (!gone) used += size;
  }
  return used;
}

}  // namespace

std::optional<HttpReply> RefuseUploadOf(const UploadRule& rule, size_t size) {
  if (size > rule.largest.count) {
    return ErrorReply(413, "too_large",
                      "the file is larger than " + FormatBytes(rule.largest));
  }
  if (UsedSpace(rule.folder) + size > rule.space.count) {
    return ErrorReply(507, "no_space",
                      "uploads have used up " + FormatBytes(rule.space));
  }
  return std::nullopt;
}

OrReply<UploadedNetwork> ReadUpload(const PredictionContext& context,
                                    const fs::path& path,
                                    const DescribeUpload& how) {
  auto turn = context.turns.Take();
  if (!turn) {
    HttpReply busy = ErrorReply(503, "unavailable",
                                "other uploads are being described; try again");
    busy.response.fields["retry-after"] = "1";
    return busy;
  }
  const UploadProcess& process = context.api.uploads.process;
  auto described =
      process.program.empty()
          ? DescribeUploadedFile(path, how, context.api.reader, kUploadGraph)
          : DescribeInProcess(path, how, process);
  if (!described.ok()) return Undescribed(described.error(), path, how.name);
  UploadedNetwork uploaded;
  uploaded.question.name = how.name;
  const LegacyCounts& counts = described->counts;
  auto number = [](uint64_t count) { return static_cast<double>(count); };
  NetworkCounts& asked = uploaded.question.counts;
  asked.conv_layers = number(counts.conv_layers);
  asked.pool_layers = number(counts.pool_layers);
  asked.fc_layers = number(counts.fc_layers);
  asked.filter_details = number(counts.filter_details);
  asked.total_parameters = number(counts.total_parameters);
  if (described->model_input_size) {
    asked.input_bytes = number(*described->model_input_size);
  }
  if (described->model_output_size) {
    asked.output_bytes = number(*described->model_output_size);
  }
  if (!described->traits) {
    return FieldReply(
        "file",
        fmt::format("{} has unknown sizes; set them with the field "
                    "\"shape\", e.g. shape=input=1x3x224x224{}{}",
                    how.name, described->notes.empty() ? "" : ": ",
                    described->notes.empty() ? "" : described->notes.front()));
  }
  uploaded.question.traits = described->traits;
  uploaded.question.shapes = how.shapes;
  uploaded.described = *std::move(described);
  return uploaded;
}

HttpReply AnswerUpload(const PredictionContext& context,
                       const HttpRequest& request) {
  auto type = request.fields.find("content-type");
  if (type == request.fields.end() || !IsMultipart(type->second)) {
    return ErrorReply(415, "unsupported_media_type",
                      "expected a body of type multipart/form-data");
  }
  auto parts = ParseMultipart(type->second, request.Content());
  if (!parts.ok()) return ErrorReply(parts.error());
  const UploadRule& rule = context.api.uploads;
  auto read = ReadForm(*parts);
  if (auto* refused = std::get_if<HttpReply>(&read)) return std::move(*refused);
  auto& form = std::get<UploadForm>(read);

  if (Status made = MakePrivateFolder(rule.folder); !made.ok()) {
    return ErrorReply(made.error());
  }
  if (auto refused = RefuseUploadOf(rule, form.file.content.size())) {
    return *std::move(refused);
  }
  Incoming incoming(rule.folder /
                    fmt::format(".{}-{}.part", getpid(), context.NextNumber()));
  Status written = WriteFileAtomically(incoming.path(), form.file.content);
  if (!written.ok()) return ErrorReply(written.error());
  std::string name = fs::path(form.file.file_name).stem();
  auto uploaded = ReadUpload(context, incoming.path(),
                             {.name = name, .shapes = std::move(form.shapes)});
  if (auto* refused = std::get_if<HttpReply>(&uploaded)) return *refused;
  auto& network = std::get<UploadedNetwork>(uploaded);
  fs::path kept = rule.folder / form.file.file_name;
  if (Status named = incoming.Name(kept); !named.ok()) {
    return ErrorReply(named.error());
  }

  SortedJson json;
  FillSizes(form, network.question.counts);
  json["model_characteristics"] = LegacyCharacteristics(network, form);
  auto best = PredictBestNode(context, network.question);
  if (auto* refused = std::get_if<HttpReply>(&best)) return *refused;
  auto& node = std::get<BestNode>(best);
  json["filepath"] = kept.string();
  json["message"] = "File uploaded successfully";
  json["profiling_prediction"] = std::move(node.prediction);
  json["status"] = "success";
  std::string warning = std::move(node.doubt);
  for (const std::string& note : network.described.notes) {
    if (!note.starts_with("PEPPER's rules")) continue;
    warning += (warning.empty() ? "" : "; ") + note +
               "; the prediction is made from the layers";
  }
  if (!warning.empty()) json["warning"] = std::move(warning);
  HttpReply reply = JsonReply(201, json);
  if (!node.warning.empty()) reply.response.fields["warning"] = node.warning;
  return reply;
}

}  // namespace mete
