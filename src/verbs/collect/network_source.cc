#include "collect/network_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/file.h"
#include "support/parse_number.h"
#include "support/text.h"
#include "zoo/sample.h"
#include "zoo/zoo.h"

namespace mete {
namespace {

constexpr std::string_view kSample = "sample:";
constexpr std::string_view kZoo = "zoo:";
constexpr uint64_t kMostSamples = 100'000;

// The number in "sample:200".
Result<uint64_t> ParseSampleCount(const std::string& where) {
  auto count =
      ParseNumber<uint64_t>(std::string_view(where).substr(kSample.size()));
  if (count && *count >= 1 && *count <= kMostSamples) return *count;
  return InvalidInput(
      fmt::format("{}: expected a number from 1 to {}", where, kMostSamples));
}

std::vector<NetworkSource> Samples(uint64_t count, uint64_t seed) {
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

// The names in "zoo:lenet5,resnet18".
std::vector<std::string> NamesIn(const std::string& where) {
  return SplitAt(where.substr(kZoo.size()), ',');
}

std::vector<NetworkSource> FromZoo(const std::vector<std::string>& names,
                                   uint64_t seed) {
  std::vector<NetworkSource> networks;
  for (const std::string& name : names) {
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

Status CheckNetworks(const std::string& where) {
  if (where.starts_with(kZoo)) {
    for (const std::string& name : NamesIn(where)) {
      RETURN_IF_ERROR(CheckZooName(name));
    }
  }
  if (where.starts_with(kSample)) RETURN_IF_ERROR(ParseSampleCount(where));
  return {};
}

Result<std::vector<NetworkSource>> FindNetworks(const std::string& where,
                                                uint64_t seed) {
  RETURN_IF_ERROR(CheckNetworks(where));
  if (where == "zoo") return FromZoo(ZooNames(), seed);
  if (where.starts_with(kZoo)) return FromZoo(NamesIn(where), seed);
  if (where.starts_with(kSample)) {
    ASSIGN_OR_RETURN(uint64_t count, ParseSampleCount(where));
    return Samples(count, seed);
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
