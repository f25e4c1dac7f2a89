// What was measured of one application while a mix ran: a row of the table that
// predictors of contention are trained on. A file of such rows needs no store.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/mix.h"
#include "support/result.h"

namespace mete {

// Times of the requests of one tenant, over all of its instances, in seconds.
// Absent when no request was answered.
struct RequestTimes {
  std::optional<double> mean;
  std::optional<double> p50;
  std::optional<double> p75;
  std::optional<double> p95;
  std::optional<double> p99;
};

// Means over the window, summed over the instances of a tenant. What the kernel
// refused to count is absent.
struct TenantUsage {
  std::optional<double> cpu_cores;
  std::optional<double> cache_references_per_s;
  std::optional<double> cache_misses_per_s;
  std::optional<double> page_faults_per_s;
  std::optional<double> memory_bytes;  // largest resident size of one instance
};

// One tenant of a mix as it was measured. The rows of a mix follow one another
// and repeat what belongs to the mix.
struct MixObservation {
  std::string mix;  // Mix::id
  MixKind kind = MixKind::kRandom;
  uint64_t seed = 0;
  std::string device;
  double cores = 0;     // of the device
  double window_s = 0;  // time during which requests were sent
  std::chrono::system_clock::time_point started_at;

  Tenant tenant;
  uint64_t sent = 0;
  uint64_t answered = 0;  // successfully, until the end of the drain
  uint64_t failed = 0;    // refused or failed; the others got no answer
  // The tenant could not keep up: its requests waited longer and longer, so its
  // times depend on the length of the window.
  bool saturated = false;
  RequestTimes service;  // inside the service, without waiting
  RequestTimes sojourn;  // of the client, from the intended time of sending
  TenantUsage usage;
};

// The names of the columns, and a row; both with a line end.
std::string MixCsvHeader();
std::string ToCsvLine(const MixObservation& row);

// Fails with kCorrupt and the line and column of the first cell that is not a
// value of its column.
Result<std::vector<MixObservation>> ParseMixCsv(std::string_view text);

}  // namespace mete
