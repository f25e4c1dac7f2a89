#include "collect/legacy_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "support/csv.h"

namespace mete {
namespace {

using std::chrono::microseconds;

// Size of the header that numpy.save writes. The PEPPER profiler's script used
// the size of that file as the output size.
constexpr double kNpyHeader = 128;

const std::vector<std::string>& Columns() {
  static const std::vector<std::string> columns = {"conv_layers",
                                                   "cpu_energy_consumption",
                                                   "device",
                                                   "device_cpu_cores",
                                                   "device_disk_usage_percent",
                                                   "device_load_percent",
                                                   "disk_io_read_bytes",
                                                   "disk_io_write_bytes",
                                                   "end_timestamp",
                                                   "execution_number",
                                                   "execution_time",
                                                   "filter_details",
                                                   "fully_conn_layers",
                                                   "model_name",
                                                   "network_type",
                                                   "pool_layers",
                                                   "start_timestamp",
                                                   "total_cpu_usage_percent",
                                                   "total_memory_usage_percent",
                                                   "total_parameters"};
  return columns;
}

// "00:00:01.234567".
std::string Duration(double seconds) {
  auto whole = static_cast<int64_t>(std::llround(seconds * 1e6));
  int64_t rest = whole / 1'000'000;
  return fmt::format("{:02}:{:02}:{:02}.{:06}", rest / 3600, rest / 60 % 60,
                     rest % 60, whole % 1'000'000);
}

// "2026-11-16 07:31:02.123456", UTC.
std::string Stamp(std::chrono::system_clock::time_point time) {
  std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  auto part =
      std::chrono::duration_cast<microseconds>(time.time_since_epoch()) %
      std::chrono::seconds(1);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:06}",
                     parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec, part.count());
}

std::string Percent(std::optional<double> share) {
  if (!share) return "";
  return fmt::format("{:.1f}", 100 * std::clamp(*share, 0.0, 1.0));
}

std::string Whole(double number) { return fmt::format("{:.0f}", number); }

// One run with its network and device.
struct LegacyRow {
  const Run& run;
  const NetworkTraits& network;
  const Device& device;
  const std::string& device_type;
  size_t number = 0;
};

Seconds Elapsed(const NetworkDetails& network) {
  return network.latency->mean * static_cast<double>(network.iterations);
}

std::optional<double> CpuUse(const LegacyRow& row) {
  Seconds elapsed = Elapsed(*row.run.network()) * UsableCpus(row.device);
  if (!row.run.cpu_time || elapsed <= Seconds(0)) return std::nullopt;
  return row.run.load->measured + *row.run.cpu_time / elapsed;
}

std::optional<double> MemoryUse(const LegacyRow& row) {
  auto ram = static_cast<double>(row.device.facts.ram.count);
  if (!row.run.environment.memory_available || ram <= 0) return std::nullopt;
  return 1 -
         static_cast<double>(row.run.environment.memory_available->count) / ram;
}

std::vector<std::string> Cells(const LegacyRow& row) {
  const LegacyCounts& counts = row.network.counts;
  const Run& run = row.run;
  const NetworkDetails& measured = *run.network();
  const auto& energy = measured.energy_per_inference;
  auto end =
      run.started_at +
      microseconds(static_cast<int64_t>(Elapsed(measured).count() * 1e6));
  return {std::to_string(counts.conv_layers),
          energy ? fmt::format("{}", energy->count) : "",
          row.device_type.empty() ? row.device.name : row.device_type,
          "0",  // all cores are loaded alike
          Percent(run.environment.disk_used),
          Percent(run.load->measured),
          Whole(row.network.input_bytes),
          Whole(row.network.output_bytes + kNpyHeader),
          Stamp(end),
          std::to_string(row.number),
          Duration(measured.latency->mean.count()),
          std::to_string(counts.filter_details),
          std::to_string(counts.fc_layers),
          run.workload.name,
          counts.network_type,
          std::to_string(counts.pool_layers),
          Stamp(run.started_at),
          Percent(CpuUse(row)),
          Percent(MemoryUse(row)),
          std::to_string(counts.total_parameters)};
}

}  // namespace

Result<std::string> LegacyCsv(RunStore& store,
                              const LegacyCsvRequest& request) {
  ASSIGN_OR_RETURN(auto runs, store.ListRuns({}));
  std::map<std::pair<std::string, std::string>, size_t> numbers;
  std::string text = CsvLine(Columns());
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (!run->load || !run->network() || !run->network()->latency) continue;
    auto network = store.FindNetwork(run->workload.sha256, run->workload.batch);
    auto device = store.FindDevice(run->device_id);
    if (!network.ok() || !device.ok()) continue;
    size_t number = ++numbers[{run->workload.sha256, run->device_id}];
    text +=
        CsvLine(Cells({*run, *network, *device, request.device_type, number}));
  }
  return text;
}

}  // namespace mete
