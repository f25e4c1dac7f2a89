#include "measure/cluster_nodes.h"

#include <algorithm>

#include "support/text.h"

namespace mete {

Result<std::vector<std::string>> SelectNodes(const std::string& selection,
                                             Launcher& launcher,
                                             std::stop_token stop) {
  if (selection == "all") {
    ASSIGN_OR_RETURN(auto ready, launcher.Nodes(std::move(stop)));
    if (ready.empty()) return Unavailable("no node of the cluster is ready");
    return ready;
  }
  std::vector<std::string> nodes;
  for (const std::string& name : SplitAt(selection, ',')) {
    if (name.empty()) return InvalidInput("nodes: a name is empty");
    if (std::ranges::find(nodes, name) != nodes.end()) {
      return InvalidInput("nodes: " + name + " is given twice");
    }
    nodes.push_back(name);
  }
  return nodes;
}

}  // namespace mete
