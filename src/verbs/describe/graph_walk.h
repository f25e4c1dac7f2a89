// Walks a graph in order, infers every value and sums the costs of the nodes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "describe/amount.h"
#include "describe/attention_pattern.h"
#include "describe/live_bytes.h"
#include "describe/node_view.h"
#include "describe/operator_rules.h"
#include "domain/characteristics.h"
#include "domain/graph.h"
#include "support/result.h"

namespace mete {

// Sums over the nodes of one graph.
struct GraphTotals {
  Amount macs;
  Amount flops;
  std::map<std::string_view, Amount> macs_by_class;
  Amount activation_bytes;
  Amount peak_bytes;
  uint64_t depth = 0;
  uint64_t parameters = 0;  // elements of all constants, including subgraphs
  std::vector<ValueFacts> outputs;
  std::vector<LayerCost> layers;
};

// Observations for the notes. A body is walked several times, but every node
// counts once.
struct WalkFindings {
  using NodesByOperator = std::map<std::string, std::set<const Node*>>;
  NodesByOperator unknown_operators;
  NodesByOperator data_dependent;   // output sizes known only at run time
  std::vector<std::string> others;  // complete sentences
};

// Values by name. Names of a graph hide those of the enclosing graphs.
class Scope {
 public:
  explicit Scope(const Scope* outer) : outer_(outer) {}

  void Set(std::string_view name, ValueFacts value) {
    values_[name] = std::move(value);
  }
  // Null when no enclosing graph has the name.
  const ValueFacts* Find(std::string_view name) const;

 private:
  const Scope* outer_;
  std::unordered_map<std::string_view, ValueFacts> values_;
};

// Sizes of symbols and the operator set version.
struct WalkSettings {
  std::map<std::string, int64_t> symbols;  // sizes of symbols
  int64_t opset = 0;
};

// Infers the values and costs of one network.
class GraphWalk {
 public:
  explicit GraphWalk(WalkSettings settings) : settings_(std::move(settings)) {}

  // `inputs` are the values of the graph's inputs, in order. Fails with
  // kCorrupt when a node contradicts its inputs or the graph is too large.
  // `graph` must not change while the result is in use.
  Result<GraphTotals> Walk(const Graph& graph, const Scope* outer,
                           std::vector<ValueFacts> inputs);

  const WalkFindings& findings() const { return findings_; }

 private:
  struct Progress;  // state of walking one graph

  // What a node's subgraphs contribute.
  struct Inside {
    GraphTotals totals;
    bool present = false;
  };

  // Adds a sentence to the findings, once per node.
  void Note(const Node& node, std::string sentence);
  Status WalkNode(const Graph& graph, size_t place, Progress& progress);
  Result<Inside> Infer(NodeView& view, const Scope& scope);
  Status CompleteOutputs(NodeView& view, size_t place,
                         const Progress& progress);
  Cost ComputeCost(const NodeView& view, const Inside& inside,
                   const AttentionPattern& pattern);
  // Adds the node's cost and a layer for it.
  void Record(const NodeView& view, const Cost& cost, const Inside& inside,
              Progress& progress);
  // Adds the node's outputs and completes the layer.
  void RecordOutputs(const NodeView& view, uint64_t depth, uint64_t parameters,
                     Progress& progress);

  // Control flow, in control_flow.cc. Each fills in the node's outputs.
  Result<Inside> WalkIf(NodeView& view, const Scope& scope);
  Result<Inside> WalkLoop(NodeView& view, const Scope& scope);
  Result<Inside> WalkScan(NodeView& view, const Scope& scope);
  // A loop body whose first outputs become its inputs again, walked until their
  // shapes no longer change. `fixed` inputs precede the `carried` ones, `rest`
  // follows them. `skipped` outputs precede the carried ones.
  struct Repetition {
    const Graph& body;
    std::vector<ValueFacts> fixed;
    std::vector<ValueFacts> carried;
    std::vector<ValueFacts> rest;
    size_t skipped = 0;
  };
  Result<GraphTotals> WalkRepeated(Repetition& repetition, const Scope& scope);

  WalkSettings settings_;
  WalkFindings findings_;
  std::set<const Node*> noted_;
  uint64_t visits_ = 0;         // of nodes, including repeated walks of loops
  uint64_t kept_elements_ = 0;  // of the contents in all scopes
};

// The subgraph in an attribute; null when there is none.
const Graph* FindSubgraph(const Node& node, std::string_view attribute);

// The facts that hold for a value that is either `a` or `b`.
ValueFacts Merge(const ValueFacts& a, const ValueFacts& b);

}  // namespace mete
