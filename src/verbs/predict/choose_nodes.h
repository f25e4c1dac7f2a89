// The nodes a prediction is asked for, with the load to assume for them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domain/cluster_node.h"

namespace mete {

struct NodeChoice {
  std::vector<std::string> names;  // empty: all nodes
  // To assume for all of them; absent: what they report.
  std::optional<double> load{};
  // The same for single ones, by name; these count more.
  std::map<std::string, double> loads{};
};

// A name that no node has, and which part of the choice it comes from.
struct UnknownNode {
  enum class Part { kNames, kLoads };
  Part part = Part::kNames;
  std::string name;
  std::vector<std::string> known;  // the names there are
};

// In the order of `all`, each once.
std::variant<std::vector<ClusterNode>, UnknownNode> ChooseNodes(
    const NodeChoice& choice, const std::vector<ClusterNode>& all);

}  // namespace mete
