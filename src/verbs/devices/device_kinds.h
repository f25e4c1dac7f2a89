// Finds the device that a name such as "Raspberry Pi 4B" refers to: one of the
// nodes, or a board with the facts of its data sheet.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/cluster_node.h"

namespace mete {

// Names of the boards with built-in data sheets.
std::vector<std::string> KnownKinds();

// Finds the node or board with this name, ignoring case, blanks and words that
// vendors add ("Model", "Rev 1.4"). Nodes take precedence over data sheets;
// nodes in an unknown state are skipped. Absent when nothing has the name: no
// other device is substituted.
std::optional<ClusterNode> FindKind(std::string_view name,
                                    const std::vector<ClusterNode>& nodes);

}  // namespace mete
