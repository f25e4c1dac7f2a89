#include "collect/collect_stream.h"

#include <utility>

#include "support/json.h"

namespace mete {
namespace {

std::string Line(const char* key, Json value) {
  Json json;
  json[key] = std::move(value);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CollectProgress ProgressFrom(const Json& json) {
  return {.done = json.at("done").get<size_t>(),
          .total = json.at("total").get<size_t>(),
          .network = json.at("network").get<std::string>(),
          .device = "",
          .left = std::nullopt};
}

CollectSummary SummaryFrom(const Json& json) {
  return {.total = json.at("planned").get<size_t>(),
          .found = json.at("found").get<size_t>(),
          .measured = json.at("measured").get<size_t>(),
          .failed = json.at("failed").get<size_t>(),
          .notes = json.at("notes").get<std::vector<std::string>>(),
          .interrupted = json.value("interrupted", false)};
}

}  // namespace

Status StreamingStore::SaveDevice(const Device& device) {
  RETURN_IF_ERROR(store_.SaveDevice(device));
  devices_.insert(device.id);
  write_(RecordLine(device));
  return {};
}

Status StreamingStore::SaveNetwork(const NetworkTraits& network) {
  RETURN_IF_ERROR(store_.SaveNetwork(network));
  networks_.insert(network.sha256);
  write_(RecordLine(network));
  return {};
}

Status StreamingStore::SaveRun(const Run& run) {
  RETURN_IF_ERROR(store_.SaveRun(run));
  if (devices_.insert(run.device_id).second) {
    ASSIGN_OR_RETURN(Device device, store_.FindDevice(run.device_id));
    write_(RecordLine(device));
  }
  if (networks_.insert(run.workload.sha256).second) {
    auto network = store_.FindNetwork(run.workload.sha256, run.workload.batch);
    if (network.ok()) write_(RecordLine(*network));
  }
  write_(RecordLine(run));
  return {};
}

std::string ProgressLine(const CollectProgress& progress) {
  return Line("progress", {{"done", progress.done},
                           {"total", progress.total},
                           {"network", progress.network}});
}

std::string SummaryLine(const CollectSummary& summary) {
  Json json = SummaryJson(summary);
  json["interrupted"] = summary.interrupted;
  return Line("collected", std::move(json));
}

Json SummaryJson(const CollectSummary& summary) {
  Json json;
  json["planned"] = summary.total;
  json["found"] = summary.found;
  json["measured"] = summary.measured;
  json["failed"] = summary.failed;
  json["notes"] = summary.notes;
  return json;
}

Result<StreamedRecord> ReadStreamed(std::string_view line) {
  ASSIGN_OR_RETURN(Json json, ParseJson(line));
  if (json.is_object() && json.contains("progress")) {
    return ReadJson("progress", [&] {
      return StreamedRecord(ProgressFrom(json.at("progress")));
    });
  }
  if (json.is_object() && json.contains("collected")) {
    return ReadJson("collected", [&] {
      return StreamedRecord(SummaryFrom(json.at("collected")));
    });
  }
  ASSIGN_OR_RETURN(ExportedRecord record, ReadRecord(line));
  return StreamedRecord(std::move(record));
}

}  // namespace mete
