#include "adapters/onnx/graph_reader.h"

#include <fmt/format.h>

#include "adapters/onnx/external_data.h"
#include "adapters/onnx/graph_reader_graph.h"
#include "adapters/onnx/graph_reader_order.h"
#include "adapters/onnx/wire_reader.h"
#include "support/sha256.h"

namespace mete {
namespace {

// Fields of ModelProto.
enum NetworkField : uint32_t {
  kIrVersion = 1,
  kProducerName = 2,
  kGraph = 7,
  kOperatorSet = 8,
  kFunction = 25,
};
// Before this version a file without operator sets meant version 1.
constexpr int64_t kFirstIrWithOperatorSets = 3;

Result<OperatorSet> ReadOperatorSet(const WireReader& message) {
  OperatorSet set;
  RETURN_IF_ERROR(ForEachField(message, [&](const WireField& field) -> Status {
    if (field.number == 1) {
      ASSIGN_OR_RETURN(set.domain, message.Text(field));
    } else if (field.number == 2) {
      ASSIGN_OR_RETURN(set.version, ReadInteger(field));
    }
    return {};
  }));
  set.domain = CanonicalDomain(std::move(set.domain));
  return set;
}

// Reads the outermost message and tracks what it contained, to distinguish a
// damaged network from a file that never was one.
class NetworkMessageReader {
 public:
  NetworkMessageReader(ByteSource& source, const ExternalFolder& folder,
                       const GraphLimits& limits)
      : source_(source), graphs_(folder, limits) {}

  Result<Network> Read() {
    if (source_.size() == 0) return Corrupt("the file is empty");
    WireReader message(source_);
    Status status = ForEachField(message, [&](const WireField& field) {
      return ReadField(message, field);
    });
    if (!status.ok()) {
      return seen_version_ || seen_graph_ ? status.error()
                                          : NotOnnx(status.error().message());
    }
    RETURN_IF_ERROR(CheckComplete());
    RETURN_IF_ERROR(ResolveNames(network_));
    return std::move(network_);
  }

 private:
  static Error NotOnnx(const std::string& why) {
    // Any short text looks like the beginning of a network.
    constexpr std::string_view kTruncated = "truncated at ";
    if (why.starts_with(kTruncated)) {
      return Corrupt("not an ONNX network, or truncated (" +
                     why.substr(kTruncated.size()) + ")");
    }
    return Corrupt("not an ONNX network: " + why);
  }

  Status ReadField(const WireReader& message, const WireField& field) {
    switch (field.number) {
      case kIrVersion: {
        ASSIGN_OR_RETURN(network_.ir_version, ReadInteger(field));
        seen_version_ = true;
        return {};
      }
      case kProducerName: {
        ASSIGN_OR_RETURN(network_.producer, message.Text(field));
        return {};
      }
      case kGraph: {
        ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
        seen_graph_ = true;
        return graphs_.ReadGraph(inner, network_.graph);
      }
      case kOperatorSet: {
        ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
        ASSIGN_OR_RETURN(OperatorSet set, ReadOperatorSet(inner));
        network_.operator_sets.push_back(std::move(set));
        return {};
      }
      case kFunction: {
        ASSIGN_OR_RETURN(WireReader inner, message.Inside(field));
        ASSIGN_OR_RETURN(GraphFunction function, graphs_.ReadFunction(inner));
        network_.functions.push_back(std::move(function));
        return {};
      }
      default:
        return {};
    }
  }

  Status CheckComplete() {
    if (!seen_graph_) return NotOnnx("it contains no graph");
    const Graph& graph = network_.graph;
    if (graph.nodes.empty() && graph.outputs.empty()) {
      return NotOnnx("its graph is empty");
    }
    if (!network_.operator_sets.empty()) return {};
    if (seen_version_ && network_.ir_version < kFirstIrWithOperatorSets) {
      network_.operator_sets.push_back({.domain = "", .version = 1});
      return {};
    }
    return Corrupt("it names no operator set; is it truncated?");
  }

  ByteSource& source_;
  GraphMessageReader graphs_;
  Network network_;
  bool seen_version_ = false;
  bool seen_graph_ = false;
};

}  // namespace

Result<Network> OnnxGraphReader::ReadWithin(const std::filesystem::path& path,
                                            const GraphLimits& limits) {
  ASSIGN_OR_RETURN(FileSource source, FileSource::Open(path.string()));
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  ExternalFolder external(limits.external_data ? std::optional(folder)
                                               : std::nullopt);
  ASSIGN_OR_RETURN(Network network,
                   NetworkMessageReader(source, external, limits)
                       .Read()
                       .While("read " + path.string()));
  network.path = path.string();
  network.file_bytes = source.size();
  ASSIGN_OR_RETURN(network.sha256, Sha256OfFile(path));
  return network;
}

Result<Network> OnnxGraphReader::ReadBytes(
    std::span<const std::byte> bytes,
    const std::optional<std::filesystem::path>& folder,
    const GraphLimits& limits) {
  MemorySource source(bytes);
  ExternalFolder external(folder);
  ASSIGN_OR_RETURN(Network network,
                   NetworkMessageReader(source, external, limits).Read());
  network.file_bytes = bytes.size();
  network.sha256 = ComputeSha256(std::string_view(
      reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  return network;
}

}  // namespace mete
