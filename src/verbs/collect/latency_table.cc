#include "collect/latency_table.h"

#include <algorithm>
#include <map>

namespace mete {
namespace {

std::optional<double> Number(const std::optional<Bytes>& bytes) {
  if (!bytes) return std::nullopt;
  return static_cast<double>(bytes->count);
}

void FillDevice(const Device& device, LatencyRow& row) {
  row.device = device.name;
  row.emulated = device.emulated;
  row.architecture = device.facts.architecture;
  row.cpus = UsableCpus(device);
  row.cores = device.facts.cores;
  row.ram_bytes = Number(device.facts.ram);
  row.max_frequency_hz = device.facts.max_frequency_hz;
  if (!device.micro || device.micro->speeds.empty()) return;
  row.one_thread = device.micro->speeds.front();
  row.all_threads = device.micro->speeds.back();
}

void FillRun(const Run& run, LatencyRow& row) {
  row.threads = run.limits.threads.value_or(1);
  row.load_asked = run.load->asked;
  row.load = run.load->measured;
  row.memory_available_bytes = Number(run.environment.memory_available);
  row.engine =
      run.engine.name.empty() ? "" : run.engine.name + " " + run.engine.version;
  const NetworkDetails& network = *run.network();
  row.iterations = network.iterations;
  if (network.latency) {
    row.seconds = network.latency->mean.count();
    row.seconds_p50 = network.latency->p50.count();
  }
  if (network.energy_per_inference) {
    row.joules = network.energy_per_inference->count;
  }
  row.outcome = run.outcome.kind;
  row.started_at = run.started_at;
}

}  // namespace

Result<std::vector<LatencyRow>> LatencyRows(RunStore& store) {
  ASSIGN_OR_RETURN(auto runs, store.ListRuns({}));
  ASSIGN_OR_RETURN(auto all_devices, store.ListDevices());
  ASSIGN_OR_RETURN(auto all_networks, store.ListNetworks());
  std::map<std::string, const Device*> devices;
  for (const Device& device : all_devices) devices[device.id] = &device;
  std::map<std::pair<std::string, int64_t>, const NetworkTraits*> networks;
  for (const NetworkTraits& network : all_networks) {
    networks[{network.sha256, network.batch}] = &network;
  }
  std::vector<LatencyRow> rows;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (!run->load || !run->network()) continue;
    // The traits in the store are those of the network's own sizes.
    if (!run->workload.given_shapes.empty()) continue;
    auto device = devices.find(run->device_id);
    auto network = networks.find({run->workload.sha256, run->workload.batch});
    if (device == devices.end() || network == networks.end()) continue;
    LatencyRow row;
    row.network = *network->second;
    FillDevice(*device->second, row);
    FillRun(*run, row);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string LatencyCsv(const std::vector<LatencyRow>& rows) {
  std::string text = LatencyCsvHeader();
  for (const LatencyRow& row : rows) text += ToCsvLine(row);
  return text;
}

}  // namespace mete
