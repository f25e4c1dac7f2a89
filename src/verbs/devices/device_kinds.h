// Which device a person means by "Raspberry Pi 4B": one of the nodes, or a
// board whose data sheet says what a predictor needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/cluster_node.h"

namespace mete {

// Names of the boards that are known without ever having been seen.
std::vector<std::string> KnownKinds();

// The node, or the board, that goes by the name: equal once case, blanks and
// the words a maker adds ("Model", "Rev 1.4") do not count. What was measured
// comes before what a data sheet says; an unknown node is none. Absent: nobody
// has the name, and no other device is put in its place.
std::optional<ClusterNode> FindKind(std::string_view name,
                                    const std::vector<ClusterNode>& nodes);

}  // namespace mete
