#include "serve/upload_description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "describe/describe.h"
#include "domain/network_traits_json.h"
#include "support/clock.h"
#include "support/descriptor.h"
#include "support/json.h"
#include "support/spawn.h"

namespace mete {
namespace {

// Of a network with thousands of strange layers.
constexpr size_t kMostNotes = 100;
constexpr size_t kLargestAnswer = size_t{1} << 20;

Json DescriptionToJson(const UploadDescription& description) {
  const LegacyCounts& counts = description.counts;
  Json json = {{"conv_layers", counts.conv_layers},
               {"pool_layers", counts.pool_layers},
               {"fc_layers", counts.fc_layers},
               {"filter_details", counts.filter_details},
               {"total_parameters", counts.total_parameters},
               {"network_type", counts.network_type},
               {"notes", description.notes}};
  if (description.model_input_size) {
    json["model_input_size"] = *description.model_input_size;
  }
  if (description.model_output_size) {
    json["model_output_size"] = *description.model_output_size;
  }
  if (description.traits) {
    json["traits"] = NetworkTraitsToJson(*description.traits);
  }
  return json;
}

std::optional<uint64_t> ReadSize(const Json& json, const char* key) {
  auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<uint64_t>();
}

// The other process may have been taken over by the file, so nothing in its
// answer is taken for granted.
Result<UploadDescription> DescriptionFromJson(const Json& json) {
  UploadDescription description;
  LegacyCounts& counts = description.counts;
  const std::pair<const char*, uint64_t*> required[] = {
      {"conv_layers", &counts.conv_layers},
      {"pool_layers", &counts.pool_layers},
      {"fc_layers", &counts.fc_layers},
      {"filter_details", &counts.filter_details},
      {"total_parameters", &counts.total_parameters}};
  for (const auto& [key, target] : required) {
    auto count = ReadSize(json, key);
    if (!count) return Corrupt(std::string(key) + " is missing");
    *target = *count;
  }
  if (auto type = json.find("network_type");
      type != json.end() && type->is_string()) {
    counts.network_type = type->get<std::string>();
  }
  description.model_input_size = ReadSize(json, "model_input_size");
  description.model_output_size = ReadSize(json, "model_output_size");
  if (auto notes = json.find("notes");
      notes != json.end() && notes->is_array()) {
    for (const Json& note : *notes) {
      if (note.is_string()) description.notes.push_back(note);
    }
  }
  if (auto traits = json.find("traits"); traits != json.end()) {
    ASSIGN_OR_RETURN(description.traits, NetworkTraitsFromJson(*traits));
  }
  return description;
}

std::string AnswerLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Error TooMuchMemory(const UploadProcess& process) {
  return Unsupported(
      fmt::format("describing this network takes more than {} of memory",
                  FormatBytes(process.memory)));
}

Error TooMuchTime() {
  return Error(ErrorCode::kTimeout,
               "describing this network takes too much time");
}

Result<UploadDescription> ParseAnswer(const std::string& answer,
                                      const UploadProcess& process) {
  auto json = ParseJson(answer);
  if (!json.ok() || !json->is_object()) {
    return Corrupt("the network could not be described");
  }
  if (json->contains("out_of_memory")) return TooMuchMemory(process);
  if (auto error = json->find("error");
      error != json->end() && error->is_string()) {
    return Corrupt(error->get<std::string>());
  }
  return DescriptionFromJson(*json);
}

std::vector<std::string> ChildArguments(const std::filesystem::path& file,
                                        const DescribeUpload& how,
                                        const UploadProcess& process) {
  std::vector<std::string> arguments = {
      process.program.string(),
      "bench",
      "describe",
      file.string(),
      "--name=" + how.name,
      "--batch=" + std::to_string(how.batch),
      "--memory=" + std::to_string(process.memory.count),
      "--cpu=" + std::to_string(process.cpu.count()) + "s"};
  for (const ShapeOverride& shape : how.shapes) {
    arguments.push_back(
        fmt::format("--shape={}={}", shape.input, fmt::join(shape.sizes, "x")));
  }
  return arguments;
}

Result<std::string> ReadAnswer(int file) {
  std::string answer(kLargestAnswer, '\0');
  ssize_t got = pread(file, answer.data(), answer.size(), 0);
  if (got < 0) return SystemError("read a description", errno);
  answer.resize(static_cast<size_t>(got));
  return answer;
}

}  // namespace

Result<UploadDescription> DescribeUploadedFile(
    const std::filesystem::path& file, const DescribeUpload& how,
    GraphReader& reader, const GraphLimits& limits) {
  ASSIGN_OR_RETURN(Network network, reader.ReadWithin(file, limits));
  ASSIGN_OR_RETURN(
      Characteristics described,
      Describe(network,
               {.shapes = how.shapes, .batch = how.batch, .layers = true}));
  UploadDescription description{
      .counts = described.counts,
      .model_input_size = described.model_input_size,
      .model_output_size = described.model_output_size,
      .notes = described.notes};
  description.notes.resize(std::min(description.notes.size(), kMostNotes));
  auto traits = ComputeTraits(described, how.name, how.batch);
  if (traits.ok()) description.traits = *std::move(traits);
  return description;
}

std::string DescribeForParent(const std::filesystem::path& file,
                              const DescribeUpload& how, GraphReader& reader) {
  // The standard library reports a lack of memory by an exception only.
  try {
    auto description = DescribeUploadedFile(file, how, reader, kUploadGraph);
    return AnswerLine(description.ok()
                          ? DescriptionToJson(*description)
                          : Json{{"error", description.error().message()}});
  } catch (const std::bad_alloc&) {
    return AnswerLine({{"out_of_memory", true}});
  }
}

Result<UploadDescription> DescribeInProcess(const std::filesystem::path& file,
                                            const DescribeUpload& how,
                                            const UploadProcess& process) {
  // In memory: unlike a pipe, it can be read once the process has ended.
  Descriptor answer(memfd_create("description", MFD_CLOEXEC));
  if (!answer.open()) return SystemError("describe an upload", errno);
  auto child = Spawn({.arguments = ChildArguments(file, how, process),
                      .output = answer.number()});
  if (!child.ok()) return Unavailable(child.error().message());
  SystemClock clock;
  auto ended = WaitForProcess(*child, clock.Now() + process.patience, clock,
                              std::stop_token());
  if (!ended.ok()) return TooMuchTime();
  const int status = *ended;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return TooMuchTime();
  // The kernel kills the largest process when the machine has no memory left.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    return TooMuchMemory(process);
  }
  if (WIFSIGNALED(status)) {
    return Corrupt(fmt::format("the network could not be described (signal {})",
                               WTERMSIG(status)));
  }
  ASSIGN_OR_RETURN(std::string text, ReadAnswer(answer.number()));
  return ParseAnswer(text, process);
}

}  // namespace mete
