// Graphs, nodes, attributes and local functions of an ONNX file.
#pragma once

#include "adapters/onnx/external_data.h"
#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Reads GraphProto and FunctionProto messages with everything inside them. Does
// not resolve names: see graph_reader_order.h.
class GraphMessageReader {
 public:
  explicit GraphMessageReader(const ExternalFolder& folder) : folder_(folder) {}

  // Adds to the contents of `graph`, because protobuf merges messages that
  // occur twice. Fails with kCorrupt, also when subgraphs are nested too
  // deeply.
  Status ReadGraph(const WireReader& message, Graph& graph);
  Result<GraphFunction> ReadFunction(const WireReader& message);

 private:
  Status ReadGraphField(const WireReader& message, const WireField& field,
                        Graph& graph);
  Result<Node> ReadNode(const WireReader& message);
  Result<Attribute> ReadAttribute(const WireReader& message);

  const ExternalFolder& folder_;
  int depth_ = 0;
};

// "" for "ai.onnx", which is another name of the standard operator set.
std::string CanonicalDomain(std::string domain);

}  // namespace mete
