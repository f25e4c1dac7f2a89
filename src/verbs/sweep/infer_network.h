// Runs the inference of a network as an application, so that a sweep can find
// out how little memory and CPU it needs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "ports/engine.h"
#include "ports/image_reader.h"
#include "support/result.h"

namespace mete {

// Which network to run, and how often.
struct InferRequest {
  std::filesystem::path network;
  int threads = 1;
  uint64_t iterations = 100;
};

// The arguments that make mete run the request in a separate process.
std::vector<std::string> InferArguments(const InferRequest& request);

// Loads the network and runs it on random inputs. Reports the duration of the
// phases "init" and "evaluate" and of every "inference" through the application
// hooks.
Status InferNetwork(const InferRequest& request, Engine& engine,
                    ImageReader& images, std::stop_token stop);

}  // namespace mete
