// Chooses the nodes to predict for, and the load to assume on them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domain/cluster_node.h"

namespace mete {

// Which nodes to predict for, as the user selected them.
struct NodeChoice {
  std::vector<std::string> names;  // empty: all nodes
  // Load to assume on all of them. Absent: the load they report.
  std::optional<double> load{};
  // Load to assume on single nodes, by name. Overrides `load`.
  std::map<std::string, double> loads{};
};

// A name that matches no node, and the part of the choice it comes from.
struct UnknownNode {
  enum class Part { kNames, kLoads };
  Part part = Part::kNames;
  std::string name;
  std::vector<std::string> known;  // names of all nodes
};

// Returns the chosen nodes in the order of `all`, each once.
std::variant<std::vector<ClusterNode>, UnknownNode> ChooseNodes(
    const NodeChoice& choice, const std::vector<ClusterNode>& all);

}  // namespace mete
