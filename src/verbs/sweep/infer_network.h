// A network as an application: what a sweep runs under limits to see how little
// memory and CPU its inference needs.
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

struct InferRequest {
  std::filesystem::path network;
  int threads = 1;
  uint64_t iterations = 100;
};

// The words that make mete do it in a process of its own.
std::vector<std::string> InferArguments(const InferRequest& request);

// Loads the network and runs it on random inputs. Tells through the hooks how
// long the phases "init" and "evaluate" and every "inference" took.
Status InferNetwork(const InferRequest& request, Engine& engine,
                    ImageReader& images, std::stop_token stop);

}  // namespace mete
