#include "adapters/sqlite/run_rows.h"

#include <bit>
#include <cstdint>

#include "domain/device_json.h"
#include "domain/network_traits_json.h"
#include "domain/run_json.h"
#include "support/json.h"

namespace mete {
namespace {

// The layers are written and read through a run's own JSON, so that their
// shape is stated once.
constexpr const char* kLayers = "layers";

}  // namespace

std::chrono::system_clock::time_point FromMicroseconds(int64_t count) {
  return std::chrono::system_clock::time_point(
      std::chrono::microseconds(count));
}

int64_t Microseconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             time.time_since_epoch())
      .count();
}

std::string CompactJson(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status InsertRun(Database& database, const Run& run) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database.Prepare("INSERT INTO runs (id, started_at, workload_name, "
                       "workload_sha256, device_id, outcome, verdict, "
                       "iterations, p50, p99, schema_version, document) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  Json document = RunToJson(run);
  document.erase(kLayers);
  std::optional<double> p50;
  std::optional<double> p99;
  if (run.network() && run.network()->latency) {
    p50 = run.network()->latency->p50.count();
    p99 = run.network()->latency->p99.count();
  }
  return insert.Bind(run.id)
      .Bind(Microseconds(run.started_at))
      .Bind(run.workload.name)
      .Bind(run.workload.sha256)
      .Bind(run.device_id)
      .Bind(ToString(run.outcome.kind))
      .Bind(ToString(run.verdict().kind))
      .Bind(static_cast<int64_t>(run.iterations()))
      .Bind(p50)
      .Bind(p99)
      .Bind(int64_t{Run::kSchemaVersion})
      .Bind(CompactJson(document))
      .Run();
}

Status InsertSamples(Database& database, const Run& run) {
  if (!run.network() || run.network()->samples.empty()) return {};
  ASSIGN_OR_RETURN(
      Statement insert,
      database.Prepare("INSERT INTO samples (run_id, seconds) VALUES (?, ?)"));
  std::vector<std::byte> bytes = PackSamples(run.network()->samples);
  return insert.Bind(run.id).Bind(std::span<const std::byte>(bytes)).Run();
}

Status InsertLayers(Database& database, const Run& run) {
  if (!run.network() || run.network()->layers.empty()) return {};
  ASSIGN_OR_RETURN(
      Statement insert,
      database.Prepare("INSERT INTO layers (run_id, document) VALUES (?, ?)"));
  return insert.Bind(run.id).Bind(CompactJson(RunToJson(run)[kLayers])).Run();
}

Result<Run> RunOfRow(const Statement& row) {
  ASSIGN_OR_RETURN(Json document, ParseJson(row.Text(1)));
  ASSIGN_OR_RETURN(Run run, RunFromJson(document));
  run.started_at = FromMicroseconds(row.Integer(0));
  return run;
}

Status ReadSamples(Database& database, Run& run) {
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare("SELECT seconds FROM samples WHERE run_id = ?"));
  ASSIGN_OR_RETURN(bool found, select.Bind(run.id).Step());
  if (found && run.network()) {
    run.network()->samples = UnpackSamples(select.Blob(0));
  }
  return {};
}

Status ReadLayers(Database& database, Run& run) {
  ASSIGN_OR_RETURN(
      Statement select,
      database.Prepare("SELECT document FROM layers WHERE run_id = ?"));
  ASSIGN_OR_RETURN(bool found, select.Bind(run.id).Step());
  if (!found || !run.network()) return {};
  Json document = RunToJson(run);
  ASSIGN_OR_RETURN(document[kLayers], ParseJson(select.Text(0)));
  ASSIGN_OR_RETURN(Run with_layers, RunFromJson(document));
  run.network()->layers = std::move(with_layers.network()->layers);
  return {};
}

Result<Device> DeviceOfRow(const Statement& row) {
  ASSIGN_OR_RETURN(Json document, ParseJson(row.Text(1)));
  ASSIGN_OR_RETURN(Device device, DeviceFromJson(document));
  device.registered_at = FromMicroseconds(row.Integer(0));
  return device;
}

Result<NetworkTraits> NetworkOfRow(const Statement& row) {
  ASSIGN_OR_RETURN(Json document, ParseJson(row.Text(0)));
  return NetworkTraitsFromJson(document);
}

std::vector<std::byte> PackSamples(std::span<const double> samples) {
  std::vector<std::byte> bytes;
  bytes.reserve(samples.size() * 8);
  for (double sample : samples) {
    auto bits = std::bit_cast<uint64_t>(sample);
    for (int i = 0; i < 8; ++i, bits >>= 8) {
      bytes.push_back(static_cast<std::byte>(bits & 0xff));
    }
  }
  return bytes;
}

std::vector<double> UnpackSamples(std::span<const std::byte> bytes) {
  std::vector<double> samples;
  samples.reserve(bytes.size() / 8);
  for (size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    uint64_t bits = 0;
    for (size_t i = 8; i-- > 0;) {
      bits = bits << 8 | std::to_integer<uint64_t>(bytes[at + i]);
    }
    samples.push_back(std::bit_cast<double>(bits));
  }
  return samples;
}

}  // namespace mete
