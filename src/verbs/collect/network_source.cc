#include "collect/network_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/file.h"
#include "support/units.h"
#include "zoo/sample.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

constexpr std::string_view kSample = "sample:";
constexpr uint64_t kMostSamples = 100'000;

Result<std::vector<NetworkSource>> Samples(std::string_view count_text,
                                           uint64_t seed) {
  ASSIGN_OR_RETURN(uint64_t count, ParseCount(count_text));
  if (count < 1 || count > kMostSamples) {
    return InvalidInput(fmt::format("expected 1 to {} samples", kMostSamples));
  }
  std::vector<NetworkSource> networks;
  for (size_t i = 0; i < count; ++i) {
    networks.push_back({.kind = NetworkSource::Kind::kSample,
                        .name = SampleDraft(seed, i).graph.name,
                        .source = fmt::format("sample:{} seed {}", i, seed),
                        .index = i,
                        .seed = seed});
  }
  return networks;
}

std::vector<NetworkSource> WholeZoo(uint64_t seed) {
  std::vector<NetworkSource> networks;
  for (const std::string& name : ZooNames()) {
    networks.push_back({.kind = NetworkSource::Kind::kZoo,
                        .name = name,
                        .source = fmt::format("zoo:{} seed {}", name, seed),
                        .seed = seed});
  }
  return networks;
}

Result<std::vector<NetworkSource>> ListNetworkFiles(
    const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(std::vector<std::filesystem::path> files, FilesIn(folder));
  std::vector<NetworkSource> networks;
  for (const std::filesystem::path& file : files) {
    if (file.extension() != ".onnx") continue;
    networks.push_back({.kind = NetworkSource::Kind::kFile,
                        .name = file.stem().string(),
                        .source = file.string()});
  }
  if (networks.empty()) {
    return NotFound("no network (*.onnx) in " + folder.string());
  }
  return networks;
}

}  // namespace

Result<std::vector<NetworkSource>> FindNetworks(const std::string& where,
                                                uint64_t seed) {
  if (where == "zoo") return WholeZoo(seed);
  if (where.starts_with(kSample)) {
    return Samples(std::string_view(where).substr(kSample.size()), seed)
        .While("networks " + where);
  }
  return ListNetworkFiles(where);
}

Result<std::filesystem::path> WriteNetwork(const NetworkSource& network,
                                           const std::filesystem::path& folder,
                                           GraphWriter& writer) {
  if (network.kind == NetworkSource::Kind::kFile) {
    return std::filesystem::path(network.source);
  }
  std::filesystem::path file = folder / (network.name + ".onnx");
  if (network.kind == NetworkSource::Kind::kSample) {
    RETURN_IF_ERROR(
        writer.Write(SampleDraft(network.seed, network.index), file));
    return file;
  }
  ASSIGN_OR_RETURN(NetworkDraft draft, MakeDraft(network.name, network.seed));
  RETURN_IF_ERROR(writer.Write(draft, file));
  return file;
}

void RemoveWritten(const NetworkSource& network,
                   const std::filesystem::path& file) {
  if (network.kind == NetworkSource::Kind::kFile) return;
  std::error_code ignored;  // the whole folder is removed at the end
  std::filesystem::remove(file, ignored);
}

}  // namespace mete
