// One measured inference time with everything it may depend on: a row of the
// table that predictors are trained on. A file of such rows needs no store.
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

// A row. Absent values are empty cells. network.counts.network_type has no
// column and is empty in rows that were read from a file.
struct LatencyRow {
  NetworkTraits network;

  std::string device;  // its name
  bool emulated = false;
  std::string architecture;  // x86_64
  double cpus = 0;           // available to the device; 0.5 is half a core
  int threads = 1;           // of the engine in this run
  int cores = 0;
  std::optional<double> ram_bytes;
  std::optional<double> max_frequency_hz;
  // Speed of the engine on the device. The number of all threads is not in the
  // file: a row that was read has `threads` there.
  std::optional<EngineSpeed> one_thread;
  std::optional<EngineSpeed> all_threads;

  // requested share of the device's CPUs, 0 to 1
  std::optional<double> load_asked;
  std::optional<double> load;                    // measured during the run
  std::optional<double> memory_available_bytes;  // before the run
  std::string engine;                            // "onnxruntime 1.22.0"
  uint64_t iterations = 0;
  std::optional<double> seconds;      // mean of the iterations
  std::optional<double> seconds_p50;  // their median
  std::optional<double> joules;       // of one inference
  OutcomeKind outcome = OutcomeKind::kCompleted;
  std::chrono::system_clock::time_point started_at;
};

// Identifies the network of a row.
const std::string& NetworkKey(const LatencyRow& row);

// The names of the columns, and a row; both with a line end.
std::string LatencyCsvHeader();
std::string ToCsvLine(const LatencyRow& row);

// Fails with kCorrupt and the line and column of the first cell that is not a
// number, is empty but required, or is in the wrong column.
Result<std::vector<LatencyRow>> ParseLatencyCsv(std::string_view text);

}  // namespace mete
