#include "predict/choose_nodes.h"

#include <algorithm>

namespace mete {
namespace {

UnknownNode MakeUnknown(UnknownNode::Part part, const std::string& name,
                        const std::vector<ClusterNode>& all) {
  UnknownNode unknown{.part = part, .name = name, .known = {}};
  for (const ClusterNode& node : all) unknown.known.push_back(node.name);
  return unknown;
}

}  // namespace

std::variant<std::vector<ClusterNode>, UnknownNode> ChooseNodes(
    const NodeChoice& choice, const std::vector<ClusterNode>& all) {
  auto exists = [&all](const std::string& name) {
    return std::ranges::find(all, name, &ClusterNode::name) != all.end();
  };
  for (const std::string& name : choice.names) {
    if (!exists(name)) {
      return MakeUnknown(UnknownNode::Part::kNames, name, all);
    }
  }
  for (const auto& [name, load] : choice.loads) {
    if (!exists(name)) {
      return MakeUnknown(UnknownNode::Part::kLoads, name, all);
    }
  }
  std::vector<ClusterNode> nodes;
  for (const ClusterNode& node : all) {
    bool chosen =
        choice.names.empty() ||
        std::ranges::find(choice.names, node.name) != choice.names.end();
    if (chosen) nodes.push_back(node);
  }
  for (ClusterNode& node : nodes) {
    auto own = choice.loads.find(node.name);
    if (own != choice.loads.end()) {
      AssumeLoad(node, own->second);
    } else if (choice.load) {
      AssumeLoad(node, *choice.load);
    }
  }
  return nodes;
}

}  // namespace mete
