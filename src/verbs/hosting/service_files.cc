#include "hosting/service_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "domain/limits_json.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/json.h"
#include "support/own_file.h"
#include "support/private_folder.h"

namespace mete {
namespace {

constexpr int kRecordVersion = 1;
constexpr Bytes kLargestRecord = Mebibytes(1);

Result<HostedService::State> ParseServiceState(const std::string& text) {
  for (auto state :
       {HostedService::State::kStarting, HostedService::State::kRunning,
        HostedService::State::kGone}) {
    if (text == ToString(state)) return state;
  }
  return Corrupt("unknown state " + text);
}

}  // namespace

Json HostedServiceToJson(const HostedService& service) {
  const ServiceOrder& order = service.order;
  Json json{{"version", kRecordVersion}, {"id", service.id},
            {"app", order.app},          {"network", order.network},
            {"device", order.device},    {"limits", LimitsToJson(order.limits)},
            {"threads", order.threads},  {"launcher", order.launcher}};
  SetText(json, "image", order.image);
  SetText(json, "plan", order.plan);
  SetText(json, "upload", order.upload);
  json["state"] = ToString(service.state);
  SetText(json, "url", service.url);
  SetText(json, "keeper", service.keeper);
  SetText(json, "boot", service.boot);
  json["started_at"] = FormatUtc(service.started_at);
  json["log"] = service.log;
  return json;
}

Result<HostedService> HostedServiceFromJson(const Json& json) {
  return ReadJson("hosted service", [&]() -> Result<HostedService> {
    if (json.at("version") != kRecordVersion) {
      return Corrupt("version " + json.at("version").dump() + " is unknown");
    }
    HostedService service{
        .id = json.at("id").get<std::string>(),
        .order = {.app = json.at("app").get<std::string>(),
                  .network = json.at("network").get<std::string>(),
                  .device = json.at("device").get<std::string>(),
                  .limits = LimitsFromJson(json.at("limits")),
                  .threads = json.at("threads").get<int>(),
                  .launcher = json.at("launcher").get<std::string>(),
                  .image = GetText(json, "image"),
                  .plan = GetText(json, "plan"),
                  .upload = GetText(json, "upload")},
        .url = GetText(json, "url"),
        .keeper = GetText(json, "keeper"),
        .boot = GetText(json, "boot"),
        .log = json.at("log").get<std::string>()};
    ASSIGN_OR_RETURN(service.state,
                     ParseServiceState(json.at("state").get<std::string>()));
    ASSIGN_OR_RETURN(service.started_at,
                     ParseUtc(json.at("started_at").get<std::string>()));
    return service;
  });
}

std::string BootId(const SystemRoot& root) {
  auto text = root.Line("/proc/sys/kernel/random/boot_id");
  return text ? std::string(*text) : std::string();
}

bool IsServiceId(const std::string& id) {
  return !id.empty() && id.size() <= 32 && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

std::filesystem::path ServiceFiles::RecordFile(const std::string& id) const {
  return folder_ / (id + ".json");
}

std::filesystem::path ServiceFiles::LogFile(const std::string& id) const {
  return folder_ / (id + ".log");
}

std::filesystem::path ServiceFiles::RunFolder(const std::string& id) const {
  return folder_ / (id + ".run");
}

std::filesystem::path ServiceFiles::PortFile(const std::string& id) const {
  return RunFolder(id) / "port";
}

Status ServiceFiles::Write(const HostedService& service) const {
  RETURN_IF_ERROR(MakePrivateFolder(folder_));
  return WriteFileAtomically(RecordFile(service.id),
                             DumpJson(HostedServiceToJson(service)) + "\n");
}

Result<HostedService> ServiceFiles::Read(const std::string& id) const {
  if (!IsServiceId(id)) return NotFound("there is no service '" + id + "'");
  auto text = ReadOwnFile(RecordFile(id), kLargestRecord);
  if (!text.ok() && text.error().code() == ErrorCode::kNotFound) {
    return NotFound("there is no service '" + id + "'");
  }
  if (!text.ok()) return text.error();
  ASSIGN_OR_RETURN(Json json, ParseJson(*text));
  auto service = HostedServiceFromJson(json).While(RecordFile(id).string());
  if (service.ok() && service->id != id) {
    return Corrupt(RecordFile(id).string() + ": is a record of another id");
  }
  return service;
}

Result<std::vector<HostedService>> ServiceFiles::ReadAll() const {
  std::vector<HostedService> services;
  std::error_code error;
  if (!std::filesystem::exists(folder_, error)) return services;
  ASSIGN_OR_RETURN(auto files, FilesIn(folder_));
  for (const std::filesystem::path& file : files) {
    if (file.extension() != ".json") continue;
    // Another mete may remove it at this moment.
    auto service = Read(file.stem());
    if (service.ok()) services.push_back(*std::move(service));
  }
  std::ranges::stable_sort(services, {}, &HostedService::started_at);
  return services;
}

void ServiceFiles::Remove(const std::string& id) const {
  if (!IsServiceId(id)) return;
  std::error_code ignored;
  for (const auto& file : {RecordFile(id), LogFile(id), RunFolder(id)}) {
    std::filesystem::remove_all(file, ignored);
  }
}

}  // namespace mete
