// Walks a graph in order, infers every value and adds up what the nodes cost.
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

// What one graph adds up to.
struct GraphTotals {
  Amount macs;
  Amount flops;
  std::map<std::string_view, Amount> macs_by_class;
  Amount activation_bytes;
  Amount peak_bytes;
  uint64_t depth = 0;
  uint64_t parameters = 0;  // elements of all constants, subgraphs' included
  std::vector<ValueFacts> outputs;
  std::vector<LayerCost> layers;
};

// What was met on the way and belongs into the notes. A body is walked several
// times: every node counts once.
struct WalkFindings {
  using NodesByOperator = std::map<std::string, std::set<const Node*>>;
  NodesByOperator unknown_operators;
  NodesByOperator data_dependent;   // sizes known when run
  std::vector<std::string> others;  // complete sentences
};

// Values by name, the graph's own before those of the graphs around it.
class Scope {
 public:
  explicit Scope(const Scope* outer) : outer_(outer) {}

  void Set(std::string_view name, ValueFacts value) {
    values_[name] = std::move(value);
  }
  // Null when no graph around has the name.
  const ValueFacts* Find(std::string_view name) const;

 private:
  const Scope* outer_;
  std::unordered_map<std::string_view, ValueFacts> values_;
};

struct WalkSettings {
  std::map<std::string, int64_t> symbols;  // decided sizes
  int64_t opset = 0;
};

class GraphWalk {
 public:
  explicit GraphWalk(WalkSettings settings) : settings_(std::move(settings)) {}

  // `inputs` are the values of the graph's inputs, in order. Fails with
  // kCorrupt when a node contradicts its inputs, or the graph is absurdly
  // large. Nothing of `graph` may change while its figures are in use.
  Result<GraphTotals> Walk(const Graph& graph, const Scope* outer,
                           std::vector<ValueFacts> inputs);

  const WalkFindings& findings() const { return findings_; }

 private:
  struct Progress;  // of one graph

  // What a node's subgraphs add.
  struct Inside {
    GraphTotals totals;
    bool present = false;
  };

  // Adds a sentence to the findings, the first time for that node.
  void Note(const Node& node, std::string sentence);
  Status WalkNode(const Graph& graph, size_t place, Progress& progress);
  Result<Inside> Infer(NodeView& view, const Scope& scope);
  Status CompleteOutputs(NodeView& view, size_t place,
                         const Progress& progress);
  Cost ComputeCost(const NodeView& view, const Inside& inside,
                   const AttentionPattern& pattern);
  // Adds the node's cost, and a layer for it.
  void Record(const NodeView& view, const Cost& cost, const Inside& inside,
              Progress& progress);
  // Adds what the node gives, and completes the layer.
  void RecordOutputs(const NodeView& view, uint64_t depth, uint64_t parameters,
                     Progress& progress);

  // Control flow, in control_flow.cc. Each fills in the node's outputs.
  Result<Inside> WalkIf(NodeView& view, const Scope& scope);
  Result<Inside> WalkLoop(NodeView& view, const Scope& scope);
  Result<Inside> WalkScan(NodeView& view, const Scope& scope);
  // Walks a body whose first outputs become its inputs again, until their
  // shapes settle. `fixed` inputs stand before the `carried` ones, `rest`
  // behind; `skipped` outputs stand before the carried ones.
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
  uint64_t visits_ = 0;         // of nodes, loops' repeated walks included
  uint64_t kept_elements_ = 0;  // of contents in all scopes
};

// The subgraph in an attribute; null when there is none.
const Graph* FindSubgraph(const Node& node, std::string_view attribute);

// What is true of a value that is either `a` or `b`.
ValueFacts Merge(const ValueFacts& a, const ValueFacts& b);

}  // namespace mete
