// The value of one attribute: AttributeProto without its graphs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapters/onnx/external_data.h"
#include "adapters/onnx/wire_reader.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Collects the fields of an AttributeProto in any order. The field `type` says
// which one counts; very old files lack it, so it is guessed.
class AttributeParts {
 public:
  // Field numbers of AttributeProto for subgraphs. The caller reads them,
  // because graphs contain nodes and nodes contain attributes.
  static constexpr uint32_t kGraph = 6;
  static constexpr uint32_t kGraphs = 11;
  // Nodes of a forest whose structure is kept: 1,000 trees of depth 9.
  static constexpr uint64_t kKeptTreeNodes = 1 << 20;

  Status Add(const WireReader& message, const WireField& field,
             const ExternalFolder& folder);
  void AddGraph(Graph graph) { graphs_.push_back(std::move(graph)); }

  // Fails with kCorrupt when the attribute has no name.
  Result<Attribute> Take();

 private:
  Status AddReals(const WireReader& message, const WireField& field);
  Status AddIntegers(const WireReader& message, const WireField& field);
  int64_t GuessedKind() const;
  uint64_t MostIntegers() const;

  std::string name_;
  std::string reference_;
  int64_t kind_ = 0;
  std::optional<double> real_;
  std::optional<int64_t> integer_;
  std::optional<std::string> text_;
  std::optional<Constant> tensor_;
  std::vector<Graph> graphs_;
  // Lists keep Constant::kKeptElements elements (those that make up trees,
  // kKeptTreeNodes) and only count the others.
  std::vector<double> reals_;
  std::vector<int64_t> integers_;
  std::vector<std::string> texts_;
  uint64_t real_count_ = 0;
  uint64_t integer_count_ = 0;
  uint64_t text_count_ = 0;
  uint64_t text_bytes_ = 0;
};

}  // namespace mete
