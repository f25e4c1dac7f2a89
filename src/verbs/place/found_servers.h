// Servers that nobody has to write down: devices of the store, and the nodes of
// a cluster.
#pragma once

#include <string>
#include <vector>

#include "domain/cluster_object.h"
#include "domain/device.h"
#include "place/place_network.h"
#include "place/placement_problem.h"
#include "support/result.h"

namespace mete {

// One type for each device, with its name. All devices without `names`. Fails
// with kInvalidInput for an unknown name, and if the memory of a device is not
// known.
Result<std::vector<ServerType>> ServersFromDevices(
    const std::vector<Device>& devices, const std::vector<std::string>& names);

// Nodes that accept pods, those with equal memory and CPUs as one type. What
// other pods use is not subtracted. Fails with kInvalidInput if there is none.
Result<std::vector<ServerType>> ServersFromNodes(
    const std::vector<NodeObject>& nodes);

// The same nodes as places of one network; threads are their whole CPUs.
std::vector<LocalPlace> PlacesOnNodes(const std::vector<NodeObject>& nodes);

// Gives every type without costs this cost table, the predictor of the device
// of "predictor:DEVICE" or, with an empty `costs`, that of the device of its
// name.
void FillCosts(const std::string& costs, std::vector<ServerType>& servers);

}  // namespace mete
