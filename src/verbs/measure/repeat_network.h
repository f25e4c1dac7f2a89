// Measures a network in several fresh processes, one after the other. Memory
// layout, the state of the engine and the placement of its threads differ from
// process to process, which the interval of one process cannot show.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "domain/run.h"
#include "measure/measure_and_store_network.h"
#include "support/result.h"

namespace mete {

// The runs made, in order, and whether they could be stored. Each has `repeats`
// of all of them.
struct RepeatedMeasurement {
  std::vector<Run> runs;  // at least one, each with a latency
  Status stored;          // whether all of them are in the store
};

// Measures request.repeat times. When `stop` is requested, ends with the
// processes that were finished. Fails as MeasureAndStoreNetwork does,
// and when a process fails; those that were finished before it are stored.
Result<RepeatedMeasurement> RepeatNetwork(
    NetworkMeasurementRequest request,
    const MeasureNetworkDependencies& dependencies,
    const MeasureNetworkCallbacks& callbacks, std::stop_token stop);

// The hidden command that a process is started with; it prints a NetworkReply.
std::vector<std::string> NetworkProcessArguments(const MeasureRequest& request);

}  // namespace mete
