// Graphs, nodes, attributes and local functions of an ONNX file.
#pragma once

#include "adapters/onnx/external_data.h"
#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "ports/graph_reader.h"
#include "support/result.h"

namespace mete {

// Reads GraphProto and FunctionProto messages with everything inside them. Does
// not resolve names: see graph_reader_order.h.
class GraphMessageReader {
 public:
  GraphMessageReader(const ExternalFolder& folder, const GraphLimits& limits)
      : folder_(folder), limits_(limits) {}

  // Adds to the contents of `graph`, because protobuf merges messages that
  // occur twice. Fails with kCorrupt, also when subgraphs are nested too deeply
  // or there are too many parts.
  Status ReadGraph(const WireReader& message, Graph& graph);
  Result<GraphFunction> ReadFunction(const WireReader& message);

 private:
  Status ReadGraphField(const WireReader& message, const WireField& field,
                        Graph& graph);
  Result<Node> ReadNode(const WireReader& message);
  Result<Attribute> ReadAttribute(const WireReader& message);
  Status CountNode();
  Status CountPart();

  const ExternalFolder& folder_;
  const GraphLimits limits_;
  size_t nodes_ = 0;
  size_t parts_ = 0;
  int depth_ = 0;
};

// "" for "ai.onnx", which is another name of the standard operator set.
std::string CanonicalDomain(std::string domain);

}  // namespace mete
