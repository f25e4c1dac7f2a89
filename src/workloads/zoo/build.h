// Writes networks of the zoo, or random samples, as files into a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "ports/graph_writer.h"
#include "support/units.h"

namespace mete {

struct BuiltNetwork {
  std::string name;
  std::filesystem::path path;
  Bytes bytes;
  uint64_t parameters = 0;  // trainable
};

// Called after each network, from the caller's thread.
struct BuildProgress {
  const BuiltNetwork& last;
  size_t done = 0;
  size_t total = 0;
};
using OnBuildProgress = std::function<void(const BuildProgress&)>;

struct ZooRequest {
  std::filesystem::path folder;    // created when absent
  std::vector<std::string> names;  // empty: the whole zoo
  uint64_t seed = 0;
};

struct SampleRequest {
  std::filesystem::path folder;  // created when absent
  size_t count = 0;
  uint64_t seed = 0;
};

// Writes NAME.onnx for each name, replacing what is there. An unknown name
// fails with kNotFound before anything is written. A stop request ends it
// between two networks with kInterrupted; files written until then stay.
Result<std::vector<BuiltNetwork>> BuildZoo(const ZooRequest& request,
                                           GraphWriter& writer,
                                           const OnBuildProgress& on_progress,
                                           std::stop_token stop);

// The same for samples 0 … count - 1 of a seed.
Result<std::vector<BuiltNetwork>> BuildSamples(
    const SampleRequest& request, GraphWriter& writer,
    const OnBuildProgress& on_progress, std::stop_token stop);

}  // namespace mete
