#include "adapters/docker/engine_json.h"

#include <fmt/format.h>

#include <chrono>

#include "net/http.h"
#include "support/clock.h"
#include "support/json.h"

namespace mete {
namespace {

using std::chrono::nanoseconds;
using Pointer = Json::json_pointer;

// The value of a key, or an empty one: engines differ in what they report.
template <typename T>
std::optional<T> At(const Json& json, const char* place) {
  Pointer pointer(place);
  if (!json.contains(pointer)) return std::nullopt;
  const Json& found = json.at(pointer);
  bool fits = std::is_same_v<T, std::string> ? found.is_string()
              : std::is_same_v<T, bool>      ? found.is_boolean()
                                             : found.is_number();
  if (!fits) return std::nullopt;
  return found.get<T>();
}

template <typename T>
T ValueAt(const Json& json, const char* place) {
  return At<T>(json, place).value_or(T());
}

std::vector<std::string> TextsAt(const Json& json, const char* place) {
  std::vector<std::string> texts;
  Pointer pointer(place);
  if (!json.contains(pointer) || !json.at(pointer).is_array()) return texts;
  for (const Json& text : json.at(pointer)) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

// "2026-01-02T03:04:05.123456789Z", with any number of decimals or none. The
// year 1 means never.
std::optional<nanoseconds> ParseStamp(const std::string& text) {
  if (text.size() < 20 || text.starts_with("0001")) return std::nullopt;
  auto whole = ParseUtc(text.substr(0, 19) + "Z");
  if (!whole.ok()) return std::nullopt;
  nanoseconds stamp = whole->time_since_epoch();
  int64_t unit = 100'000'000;
  for (size_t at = 20; text[19] == '.' && at < text.size(); ++at) {
    if (text[at] < '0' || text[at] > '9') break;
    stamp += nanoseconds((text[at] - '0') * unit);
    unit /= 10;
  }
  return stamp;
}

std::optional<Seconds> SecondsAt(const Json& json, const char* place) {
  auto count = At<double>(json, place);
  if (!count) return std::nullopt;
  return Seconds(*count * 1e-9);
}

std::optional<Bytes> BytesAt(const Json& json, const char* place) {
  auto count = At<uint64_t>(json, place);
  if (!count) return std::nullopt;
  return Bytes{*count};
}

}  // namespace

Error EngineError(int status, std::string_view body) {
  std::string message(body);
  if (auto json = ParseJson(body); json.ok() && json->is_object()) {
    if (auto reported = At<std::string>(*json, "/message")) message = *reported;
  }
  while (!message.empty() && message.back() == '\n') message.pop_back();
  if (message.empty()) message = fmt::format("status {}", status);
  switch (status) {
    case 400:
      return InvalidInput(message);
    case 401:
    case 403:
      return Error(ErrorCode::kPermissionDenied, message);
    case 404:
      return NotFound(message);
    default:
      return Unavailable(message);
  }
}

Result<EngineFacts> ParseEngineFacts(const Json& version, const Json& info) {
  EngineFacts facts{.name = "docker",
                    .version = ValueAt<std::string>(version, "/Version")};
  if (facts.version.empty()) {
    return Corrupt("the engine does not report its version");
  }
  for (const Json& part : version.value("Components", Json::array())) {
    auto name = At<std::string>(part, "/Name").value_or("");
    if (name.starts_with("Podman")) facts.name = "podman";
  }
  facts.systemd_groups =
      ValueAt<std::string>(info, "/CgroupDriver") == "systemd";
  return facts;
}

Result<ImageDetails> ParseImage(const Json& json) {
  ImageDetails image{
      .sha256 = ValueAt<std::string>(json, "/Id"),
      .architecture = ValueAt<std::string>(json, "/Architecture"),
      .environment = TextsAt(json, "/Config/Env"),
      .stop_signal = ValueAt<std::string>(json, "/Config/StopSignal")};
  if (image.sha256.empty()) return Corrupt("the image has no id");
  if (image.sha256.starts_with("sha256:")) image.sha256.erase(0, 7);
  return image;
}

Result<CreatedContainer> ParseCreated(const Json& json) {
  CreatedContainer created{.id = ValueAt<std::string>(json, "/Id"),
                           .warnings = TextsAt(json, "/Warnings")};
  if (created.id.empty()) return Corrupt("the new container has no id");
  return created;
}

Result<ContainerState> ParseState(const Json& json) {
  if (!json.contains(Pointer("/State/ExitCode"))) {
    return Corrupt("the engine reports no state");
  }
  ContainerState state{
      .running = ValueAt<bool>(json, "/State/Running"),
      .pid = ValueAt<int>(json, "/State/Pid"),
      .exit_code = ValueAt<int>(json, "/State/ExitCode"),
      .out_of_memory = ValueAt<bool>(json, "/State/OOMKilled")};
  auto start = ParseStamp(ValueAt<std::string>(json, "/State/StartedAt"));
  auto end = ParseStamp(ValueAt<std::string>(json, "/State/FinishedAt"));
  if (start && end && *end >= *start) state.lifetime = *end - *start;
  return state;
}

std::vector<OwnedContainer> ParseOwned(const Json& json,
                                       const std::string& label) {
  std::vector<OwnedContainer> owned;
  if (!json.is_array()) return owned;
  for (const Json& container : json) {
    OwnedContainer found{.id = ValueAt<std::string>(container, "/Id")};
    auto labels = container.find("Labels");
    if (labels == container.end() || !labels->is_object()) continue;
    auto owner = labels->find(label);
    if (owner == labels->end() || !owner->is_string()) continue;
    found.owner = owner->get<std::string>();
    if (!found.id.empty()) owned.push_back(std::move(found));
  }
  return owned;
}

ResourceUsage ParseStats(const Json& json) {
  ResourceUsage usage;
  usage.cpu = SecondsAt(json, "/cpu_stats/cpu_usage/total_usage");
  // For an ended container everything is zero, which is not a reading.
  if (!usage.cpu || usage.cpu->count() <= 0) return {};
  usage.cpu_user = SecondsAt(json, "/cpu_stats/cpu_usage/usage_in_usermode");
  usage.cpu_system =
      SecondsAt(json, "/cpu_stats/cpu_usage/usage_in_kernelmode");
  usage.periods = At<uint64_t>(json, "/cpu_stats/throttling_data/periods");
  usage.throttled_periods =
      At<uint64_t>(json, "/cpu_stats/throttling_data/throttled_periods");
  usage.throttled =
      SecondsAt(json, "/cpu_stats/throttling_data/throttled_time");
  usage.memory = BytesAt(json, "/memory_stats/usage");
  usage.memory_peak = BytesAt(json, "/memory_stats/max_usage");
  usage.processes = At<uint64_t>(json, "/pids_stats/current");
  return usage;
}

ImageReference SplitReference(const std::string& reference) {
  size_t at = reference.find('@');
  if (at != std::string::npos) {
    return {.name = reference.substr(0, at),
            .version = reference.substr(at + 1)};
  }
  // A colon before a slash belongs to a port.
  size_t slash = reference.rfind('/');
  size_t colon = reference.rfind(':');
  bool tagged = colon != std::string::npos &&
                (slash == std::string::npos || colon > slash);
  if (!tagged) return {.name = reference, .version = "latest"};
  return {.name = reference.substr(0, colon),
          .version = reference.substr(colon + 1)};
}

std::string EncodeReference(const std::string& reference) {
  std::string encoded;
  for (char c : reference) {
    bool plain = c == '/' || c == ':' || c == '@';
    encoded += plain ? std::string(1, c) : PercentEncode({&c, 1});
  }
  return encoded;
}

}  // namespace mete
