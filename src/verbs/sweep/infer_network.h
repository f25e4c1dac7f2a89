// Runs the inference of a network as an application, so that a sweep can find
// out how little memory and CPU it needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "domain/run.h"
#include "measure/input_tensors.h"
#include "ports/engine.h"
#include "ports/image_reader.h"
#include "support/clock.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// A network to run and for how long.
struct InferRequest {
  std::filesystem::path network;
  int threads = 1;
  uint64_t iterations = 100;  // at least
  // The least time that the inferences take together. Under a CPU limit it has
  // to be many quota periods: within one, the first inferences use up the quota
  // at full speed and say nothing about the limit.
  Seconds duration{0};
  InputRequest inputs{};
  EngineOptions engine{};
};

// The arguments that make mete run the request in a separate process.
std::vector<std::string> InferArguments(const InferRequest& request);

// The outside world of InferNetwork, borrowed for the duration of a call.
struct InferDependencies {
  Engine& engine;
  ImageReader& images;
  Clock& clock;
};

// Loads the network and runs it on the requested inputs. Reports the duration
// of the phases "init" and "evaluate" and of every "inference" through the
// application hooks. An inference lasts from the end of the previous one to its
// own end, so that their mean is the time of all of them divided by their
// number.
Status InferNetwork(const InferRequest& request,
                    const InferDependencies& dependencies,
                    std::stop_token stop);

}  // namespace mete
