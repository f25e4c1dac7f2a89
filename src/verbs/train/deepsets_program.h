// Trains NeuRO's network in mete-torch, which mete starts as a program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>

#include "contention/deepsets_predictor.h"
#include "contention/measured_mixes.h"
#include "measure/torch_program.h"
#include "support/clock.h"

namespace mete {

// What mete-torch should do.
struct DeepSetsProgramRequest {
  std::span<const MeasuredMix> mixes;
  int64_t epochs = 10;
  uint64_t seed = 1;
  std::filesystem::path warm_start;  // empty: random weights
};

// Fails with kUnavailable when mete-torch is missing or fails; its messages go
// to stderr. Fails with kInterrupted when stopped.
Result<DeepSetsPredictor> TrainWithMeteTorch(
    const DeepSetsProgramRequest& request, const TorchPlaces& places,
    Clock& clock, const std::stop_token& stop);

}  // namespace mete
