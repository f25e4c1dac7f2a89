#include "contend/campaign_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>

#include "contend/neuro_files.h"
#include "domain/run_json.h"
#include "domain/service_json.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

constexpr const char* kCampaignFile = "campaign.json";
constexpr const char* kMixFile = "mix.json";
constexpr const char* kMixesFolder = "mixes";

// The runs of a mix have a few kilobytes each.
constexpr Bytes kLargestFile = Mebibytes(64);
// Facts of an application beyond these were never measured.
constexpr double kLongestService = 86'400;  // seconds
constexpr Bytes kLargestMemory = Gibibytes(1 << 20);

Error Impossible(const std::string& application, const char* fact) {
  return Corrupt(fmt::format("{}: impossible {}", application, fact));
}

// An empty object if the file does not exist.
Result<Json> ReadJsonFile(const std::filesystem::path& file) {
  auto text = ReadRegularFile(file, kLargestFile);
  if (!text.ok()) {
    if (text.error().code() == ErrorCode::kNotFound) return Json::object();
    return text.error();
  }
  auto json = ParseJson(*text).While("read " + file.string());
  if (json.ok() && !json->is_object()) {
    return Corrupt("read " + file.string() + ": expected an object");
  }
  return json;
}

Status WriteJsonFile(const std::filesystem::path& file, const Json& json) {
  return WriteFileAtomically(file, DumpJson(json) + "\n");
}

Json SetupToJson(const CampaignSetup& setup) {
  Json json;
  json["device_id"] = setup.device_id;
  json["device"] = setup.device_name;
  json["window_seconds"] = setup.timing.window.count();
  json["settle_seconds"] = setup.timing.settle.count();
  json["drain_seconds"] = setup.timing.drain.count();
  json["launcher"] = setup.launcher;
  SetText(json, "image", setup.image);
  return json;
}

Json RequestToJson(const CampaignRequest& request) {
  Json json;
  json["kind"] = MixKindName(request.kind);
  json["applications"] = request.applications;
  json["instances"] = request.instances;
  json["rates"] = request.rates;
  if (request.memory_budget) {
    json["memory_budget_bytes"] = request.memory_budget->count;
  }
  json["cores"] = request.cores;
  json["seed"] = request.seed;
  return json;
}

// The first key whose values differ, with both values: "window_seconds is 20.0
// there, not 8.0".
std::string Difference(const Json& stored, const Json& wanted) {
  auto text = [](const Json& json, const std::string& key) {
    return json.contains(key) ? json.at(key).dump() : std::string("not set");
  };
  for (const auto& [key, value] : wanted.items()) {
    if (!stored.contains(key) || stored.at(key) != value) {
      return fmt::format("{} is {} there, not {}", key, text(stored, key),
                         value.dump());
    }
  }
  for (const auto& [key, value] : stored.items()) {
    if (!wanted.contains(key)) {
      return fmt::format("{} is {} there", key, value.dump());
    }
  }
  return "";
}

Status CheckSame(const std::filesystem::path& folder, const Json& stored,
                 const Json& wanted) {
  std::string difference = Difference(stored, wanted);
  if (difference.empty()) return {};
  return InvalidInput(fmt::format(
      "{} has a campaign with other settings: {}; choose another --out",
      folder.string(), difference));
}

Json FinishedToJson(const Mix& mix, const std::vector<Run>& runs) {
  Json json;
  json["mix"] = MixToJson(mix);
  json["runs"] = Json::array();
  for (const Run& run : runs) json["runs"].push_back(RunToJson(run));
  return json;
}

Result<FinishedMix> FinishedFromJson(const Json& json) {
  FinishedMix finished;
  ASSIGN_OR_RETURN(finished.mix, MixFromJson(json.at("mix")));
  for (const Json& item : json.at("runs")) {
    ASSIGN_OR_RETURN(Run run, RunFromJson(item));
    if (!run.application() || !run.application()->service) {
      return Corrupt("a run without the key service");
    }
    finished.runs.push_back(std::move(run));
  }
  return finished;
}

}  // namespace

Result<CampaignFolder> CampaignFolder::Open(const std::filesystem::path& path) {
  RETURN_IF_ERROR(MakeFolder(path / kMixesFolder));
  const std::string lock_file = (path / ".lock").string();
  Descriptor lock(open(lock_file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.open()) return SystemError("open " + lock_file, errno);
  if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
    return Unavailable("another mete measures into " + path.string());
  }
  return CampaignFolder(path, std::move(lock));
}

Status CampaignFolder::KeepSetup(const CampaignSetup& setup) {
  ASSIGN_OR_RETURN(Json json, ReadJsonFile(path_ / kCampaignFile));
  if (json.contains("setup")) {
    return CheckSame(path_, json.at("setup"), SetupToJson(setup));
  }
  json["setup"] = SetupToJson(setup);
  return WriteJsonFile(path_ / kCampaignFile, json);
}

Status CampaignFolder::KeepRequest(const CampaignRequest& request) {
  const auto file = path_ / (std::string(MixKindName(request.kind)) + ".json");
  ASSIGN_OR_RETURN(Json stored, ReadJsonFile(file));
  if (stored.empty()) return WriteJsonFile(file, RequestToJson(request));
  return CheckSame(path_, stored, RequestToJson(request));
}

Result<KnownApplications> CampaignFolder::ReadApplications() const {
  ASSIGN_OR_RETURN(Json json, ReadJsonFile(path_ / kCampaignFile));
  return ReadJson(kCampaignFile, [&json]() -> Result<KnownApplications> {
    KnownApplications known;
    if (!json.contains("applications")) return known;
    for (const auto& [name, facts] : json.at("applications").items()) {
      const auto time = facts.at("service_time_seconds").get<double>();
      if (!(time >= 0 && time <= kLongestService)) {
        return Impossible(name, "service_time_seconds");
      }
      known[name] = {.service_time = Seconds(time)};
      if (!facts.contains("memory_bytes")) continue;
      const Json& memory = facts.at("memory_bytes");
      if (!memory.is_number_unsigned() ||
          memory.get<uint64_t>() > kLargestMemory.count) {
        return Impossible(name, "memory_bytes");
      }
      known[name].memory = Bytes{memory.get<uint64_t>()};
    }
    return known;
  });
}

Status CampaignFolder::KeepApplications(const KnownApplications& known) {
  const auto file = path_ / kCampaignFile;
  ASSIGN_OR_RETURN(Json json, ReadJsonFile(file));
  RETURN_IF_ERROR(ReadJson(file.string(), [&]() -> Status {
    for (const auto& [name, facts] : known) {
      Json& stored = json["applications"][name];
      stored["service_time_seconds"] = facts.service_time.count();
      if (facts.memory) stored["memory_bytes"] = facts.memory->count;
    }
    return {};
  }));
  return WriteJsonFile(file, json);
}

Status CampaignFolder::KeepMix(const MixMeasurement& measured,
                               const std::vector<Run>& runs) {
  const auto folder = path_ / kMixesFolder / measured.mix.id;
  RETURN_IF_ERROR(WriteNeuroFiles(measured, folder));
  return WriteJsonFile(folder / kMixFile, FinishedToJson(measured.mix, runs));
}

Result<std::vector<FinishedMix>> CampaignFolder::ReadMixes() const {
  std::vector<FinishedMix> mixes;
  auto folders = FilesIn(path_ / kMixesFolder);
  if (!folders.ok()) {
    // A folder to read may not be that of a campaign yet.
    if (folders.error().code() == ErrorCode::kNotFound) return mixes;
    return folders.error();
  }
  for (const std::filesystem::path& folder : *folders) {
    const auto file = folder / kMixFile;
    ASSIGN_OR_RETURN(Json json, ReadJsonFile(file));
    if (json.empty()) continue;  // it was not finished
    ASSIGN_OR_RETURN(FinishedMix mix, ReadJson(file.string(), [&json] {
                       return FinishedFromJson(json);
                     }));
    if (!mix.runs.empty()) mixes.push_back(std::move(mix));
  }
  std::ranges::sort(mixes, [](const FinishedMix& a, const FinishedMix& b) {
    return a.runs.front().id < b.runs.front().id;
  });
  return mixes;
}

std::vector<MixObservation> RowsOf(const std::vector<FinishedMix>& mixes) {
  std::vector<MixObservation> rows;
  for (const FinishedMix& mix : mixes) {
    for (const Run& run : mix.runs) {
      rows.push_back(run.application()->service->observation);
    }
  }
  return rows;
}

}  // namespace mete
