// Writes networks of the zoo, or random samples, to files in a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "ports/graph_writer.h"
#include "support/units.h"

namespace mete {

// A network that was written.
struct BuiltNetwork {
  std::string name;
  std::filesystem::path path;
  Bytes bytes;
  uint64_t parameters = 0;  // trainable
};

// Progress report after each network, on the caller's thread.
struct BuildProgress {
  const BuiltNetwork& last;
  size_t done = 0;
  size_t total = 0;
};
using OnBuildProgress = std::function<void(const BuildProgress&)>;

// Which networks of the zoo to write, and where.
struct ZooRequest {
  std::filesystem::path folder;    // created if missing
  std::vector<std::string> names;  // empty: the whole zoo
  uint64_t seed = 0;
};

// How many random networks to write, and where.
struct SampleRequest {
  std::filesystem::path folder;  // created if missing
  size_t count = 0;
  uint64_t seed = 0;
};

// Writes NAME.onnx for each name, replacing existing files. An unknown name
// fails with kNotFound before anything is written. A stop request ends it
// between two networks with kInterrupted; files written so far remain.
Result<std::vector<BuiltNetwork>> BuildZoo(const ZooRequest& request,
                                           GraphWriter& writer,
                                           const OnBuildProgress& on_progress,
                                           std::stop_token stop);

// The same for samples 0 … count - 1 of a seed.
Result<std::vector<BuiltNetwork>> BuildSamples(
    const SampleRequest& request, GraphWriter& writer,
    const OnBuildProgress& on_progress, std::stop_token stop);

}  // namespace mete
