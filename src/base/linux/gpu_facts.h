// Lists the GPUs of a machine without querying their drivers.
#pragma once

#include <string>
#include <vector>

#include "linux/system_root.h"

namespace mete {

// "NVIDIA GeForce RTX 3090", "AMD GPU 1002:744c", "Broadcom VideoCore VI".
// Omits plain display adapters of servers and virtual machines.
std::vector<std::string> ReadGpus(const SystemRoot& root);

}  // namespace mete
