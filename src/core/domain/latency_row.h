// One measured inference time with everything it may depend on: the row of the
// table that predictors are trained from. A file of such rows needs no store.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/device.h"
#include "domain/network_traits.h"
#include "domain/run.h"
#include "support/result.h"

namespace mete {

// Absent figures are empty cells. network.counts.network_type has no column
// and is empty in rows that were read.
struct LatencyRow {
  NetworkTraits network;

  std::string device;  // its name
  bool emulated = false;
  std::string architecture;  // x86_64
  double cpus = 0;           // that the device may use; 0.5 is half a core
  int threads = 1;           // of the engine in this run
  int cores = 0;
  std::optional<double> ram_bytes;
  std::optional<double> max_frequency_hz;
  // What the engine reaches on the device. The column of threads does not say
  // how many "all" are: a row that was read has `threads` there.
  std::optional<EngineSpeed> one_thread;
  std::optional<EngineSpeed> all_threads;

  std::optional<double> load_asked;  // shares of the device's CPUs, 0 to 1
  std::optional<double> load;        // measured during the run
  std::optional<double> memory_available_bytes;  // before the run
  std::string engine;                            // "onnxruntime 1.22.0"
  uint64_t iterations = 0;
  std::optional<double> seconds;      // mean of the iterations
  std::optional<double> seconds_p50;  // their median
  std::optional<double> joules;       // of one inference
  OutcomeKind outcome = OutcomeKind::kCompleted;
  std::chrono::system_clock::time_point started_at;
};

// What tells its network from others.
const std::string& NetworkKey(const LatencyRow& row);

// The names of the columns, and a row under them; both with the line's end.
std::string LatencyCsvHeader();
std::string ToCsvLine(const LatencyRow& row);

// Fails with kCorrupt and the line and column of the first cell that is no
// number, is empty but must not be, or does not stand under the right name.
Result<std::vector<LatencyRow>> ParseLatencyCsv(std::string_view text);

}  // namespace mete
