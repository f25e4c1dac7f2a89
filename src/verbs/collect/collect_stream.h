// A collection that reports to another mete: records as JSON lines on stdout
// while they are stored, so that a pod leaves nothing behind.
//
//   {"device":{…}} {"network":{…}} {"run":{…}}     as in mete runs export
//   {"progress":{"done":3,"total":10,"network":"lenet5"}}
//   {"collected":{"planned":10,"found":0,"measured":9,"failed":1,…}}
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collect/collect.h"
#include "collect/export_import.h"
#include "ports/run_store.h"
#include "support/json_fwd.h"
#include "support/result.h"

namespace mete {

// Receives whole lines with their line ends.
using WriteLine = std::function<void(const std::string&)>;

// Stores in another store and writes a line for each record. The device and the
// network of a run come before it, even if they were stored long ago. Borrows
// both.
class StreamingStore final : public RunStore {
 public:
  StreamingStore(RunStore& store, const WriteLine& write)
      : store_(store), write_(write) {}

  Status CheckWritable() override { return store_.CheckWritable(); }
  Status SaveRun(const Run& run) override;
  Result<Run> FindRun(const std::string& id) override {
    return store_.FindRun(id);
  }
  Result<std::vector<Run>> ListRuns(const RunFilter& filter) override {
    return store_.ListRuns(filter);
  }
  Status SaveDevice(const Device& device) override;
  Result<Device> FindDevice(const std::string& name_or_id) override {
    return store_.FindDevice(name_or_id);
  }
  Result<std::vector<Device>> ListDevices() override {
    return store_.ListDevices();
  }
  Status RemoveDevice(const std::string& name_or_id) override {
    return store_.RemoveDevice(name_or_id);
  }
  Status SaveNetwork(const NetworkTraits& network) override;
  Result<NetworkTraits> FindNetwork(const std::string& sha256,
                                    int64_t batch) override {
    return store_.FindNetwork(sha256, batch);
  }
  Result<std::vector<NetworkTraits>> ListNetworks() override {
    return store_.ListNetworks();
  }

 private:
  RunStore& store_;
  const WriteLine& write_;
  std::set<std::string> devices_;   // ids of which a line was written
  std::set<std::string> networks_;  // their SHA-256
};

std::string ProgressLine(const CollectProgress& progress);
std::string SummaryLine(const CollectSummary& summary);

// What a summary has in every JSON output.
Json SummaryJson(const CollectSummary& summary);

using StreamedRecord =
    std::variant<ExportedRecord, CollectProgress, CollectSummary>;

// Fails with kCorrupt for what is none of these lines.
Result<StreamedRecord> ReadStreamed(std::string_view line);

}  // namespace mete
