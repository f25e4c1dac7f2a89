#include "collect/export_import.h"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "domain/device_json.h"
#include "domain/network_traits_json.h"
#include "domain/run_json.h"
#include "support/file.h"
#include "support/json.h"

namespace mete {
namespace {

std::string LineWith(const char* key, Json value) {
  Json json;
  json[key] = std::move(value);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ExportedRecord> ReadRunRecord(const Json& json) {
  ASSIGN_OR_RETURN(Run run, RunFromJson(json));
  auto samples = json.find("samples");
  if (samples == json.end()) return ExportedRecord(std::move(run));
  if (!samples->is_array()) return Corrupt("samples are not a list");
  for (const Json& sample : *samples) {
    if (!sample.is_number()) return Corrupt("a sample is not a number");
    if (!run.network()) continue;
    run.network()->samples.push_back(sample.get<double>());
  }
  return ExportedRecord(std::move(run));
}

// True when `device` has later micro-measurements, or the first ones.
bool IsNewer(const Device& device, const Device& known) {
  if (!device.micro) return false;
  return !known.micro || device.micro->measured_at > known.micro->measured_at;
}

class Importer {
 public:
  explicit Importer(RunStore& store) : store_(store) {}

  // The checked values must stay where they are until the last check.
  Status Check(const Device& device) {
    if (device.id.empty() || device.name.empty()) {
      return Corrupt("the device has no id or no name");
    }
    if (names_.emplace(device.name, device.id).first->second != device.id) {
      return InvalidInput(fmt::format(
          "another device of the file is called '{}', too", device.name));
    }
    auto known = store_.FindDevice(device.name);
    if (known.ok() && known->id != device.id && known->name == device.name) {
      return InvalidInput(fmt::format(
          "the store has another device called '{}' ({}); rename or remove one",
          device.name, known->id));
    }
    devices_.insert(device.id);
    return {};
  }

  Status Check(const NetworkTraits& network) {
    if (network.sha256.empty()) return Corrupt("the network has no sha256");
    return {};
  }

  Status Check(const Run& run) {
    if (run.id.empty()) return Corrupt("the run has no id");
    if (!Knows(run.device_id)) {
      return InvalidInput(fmt::format("run {} belongs to an unknown device {}",
                                      run.id, run.device_id));
    }
    const Run* earlier = runs_.emplace(run.id, &run).first->second;
    if (earlier != &run && RunToJson(*earlier) != RunToJson(run)) {
      return InvalidInput(
          fmt::format("the file has a different run {}", run.id));
    }
    auto known = store_.FindRun(run.id);
    if (!known.ok() || known->id != run.id) return {};
    if (RunToJson(*known) == RunToJson(run)) return {};
    return InvalidInput(
        fmt::format("the store has a different run {}", run.id));
  }

  Status Save(const Device& device) {
    auto known = store_.FindDevice(device.id);
    if (known.ok() && known->id == device.id && !IsNewer(device, *known)) {
      return {};
    }
    ++counts_.devices;
    return store_.SaveDevice(device);
  }

  Status Save(const NetworkTraits& network) {
    if (store_.FindNetwork(network.sha256, network.batch).ok()) return {};
    ++counts_.networks;
    return store_.SaveNetwork(network);
  }

  Status Save(const Run& run) {
    auto known = store_.FindRun(run.id);
    if (known.ok() && known->id == run.id) {
      ++counts_.known;
      return {};
    }
    ++counts_.runs;
    return store_.SaveRun(run);
  }

  const ImportCounts& counts() const { return counts_; }

 private:
  // The store also finds devices by name, but runs refer to ids.
  bool Knows(const std::string& device_id) {
    if (devices_.contains(device_id)) return true;
    auto known = store_.FindDevice(device_id);
    return known.ok() && known->id == device_id;
  }

  RunStore& store_;
  std::set<std::string> devices_;             // ids in the file
  std::map<std::string, std::string> names_;  // of these, with their ids
  std::map<std::string, const Run*> runs_;    // in the file, by id
  ImportCounts counts_;
};

}  // namespace

std::string RecordLine(const Device& device) {
  return LineWith("device", DeviceToJson(device));
}

std::string RecordLine(const NetworkTraits& network) {
  return LineWith("network", NetworkTraitsToJson(network));
}

std::string RecordLine(const Run& run) {
  Json json = RunToJson(run);
  json["samples"] =
      run.network() ? run.network()->samples : std::vector<double>();
  return LineWith("run", std::move(json));
}

Result<ExportedRecord> ReadRecord(std::string_view line) {
  ASSIGN_OR_RETURN(Json json, ParseJson(line));
  if (json.is_object() && json.contains("device")) {
    // `mete runs export` without a file prints bare runs, which have a key
    // "device", too.
    if (json.contains("run_id")) {
      return Corrupt("a run without its device; export it to a file");
    }
    ASSIGN_OR_RETURN(Device device, DeviceFromJson(json["device"]));
    return ExportedRecord(std::move(device));
  }
  if (json.is_object() && json.contains("network")) {
    ASSIGN_OR_RETURN(NetworkTraits traits,
                     NetworkTraitsFromJson(json["network"]));
    return ExportedRecord(std::move(traits));
  }
  if (json.is_object() && json.contains("run")) {
    return ReadRunRecord(json["run"]);
  }
  return Corrupt("expected a device, a network or a run");
}

Status SaveRecord(RunStore& store, const ExportedRecord& record) {
  Importer importer(store);
  return std::visit([&](const auto& value) { return importer.Save(value); },
                    record);
}

Status ExportRuns(RunStore& store, const RunFilter& filter,
                  const std::function<Status(const std::string&)>& write) {
  ASSIGN_OR_RETURN(auto runs, store.ListRuns(filter));
  std::set<std::string> device_ids;
  std::set<std::string> hashes;
  for (const Run& run : runs) {
    device_ids.insert(run.device_id);
    hashes.insert(run.workload.sha256);
  }
  ASSIGN_OR_RETURN(auto devices, store.ListDevices());
  for (const Device& device : devices) {
    if (!device_ids.contains(device.id)) continue;
    RETURN_IF_ERROR(write(RecordLine(device)));
  }
  ASSIGN_OR_RETURN(auto networks, store.ListNetworks());
  for (const NetworkTraits& network : networks) {
    if (!hashes.contains(network.sha256)) continue;
    RETURN_IF_ERROR(write(RecordLine(network)));
  }
  for (auto listed = runs.rbegin(); listed != runs.rend(); ++listed) {
    ASSIGN_OR_RETURN(Run run, store.FindRun(listed->id));
    RETURN_IF_ERROR(write(RecordLine(run)));
  }
  return {};
}

Result<ImportCounts> ImportRuns(RunStore& store, std::string_view lines) {
  Importer importer(store);
  std::deque<ExportedRecord> entries;  // growing does not move them
  size_t number = 0;
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    ++number;
    if (line.empty()) continue;
    std::string where = fmt::format("line {}", number);
    ASSIGN_OR_RETURN(ExportedRecord entry, ReadRecord(line).While(where));
    entries.push_back(std::move(entry));
    RETURN_IF_ERROR(
        std::visit([&](const auto& value) { return importer.Check(value); },
                   entries.back())
            .While(where));
  }
  for (const ExportedRecord& entry : entries) {
    RETURN_IF_ERROR(std::visit(
        [&](const auto& value) { return importer.Save(value); }, entry));
  }
  return importer.counts();
}

Result<size_t> ExportRunsToFile(RunStore& store, const RunFilter& filter,
                                const std::filesystem::path& file) {
  size_t lines = 0;
  auto write_all = [&](int descriptor) {
    return ExportRuns(store, filter, [&](const std::string& line) -> Status {
      ++lines;
      return WriteAll(descriptor, line);
    });
  };
  RETURN_IF_ERROR(WriteFileAtomically(file, write_all));
  return lines;
}

Result<ImportCounts> ImportRunsFromFile(RunStore& store,
                                        const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(std::string lines, ReadFile(file));
  return ImportRuns(store, lines).While("import " + file.string());
}

}  // namespace mete
