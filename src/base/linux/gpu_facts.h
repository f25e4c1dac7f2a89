// Which graphics processors a machine has, without asking their drivers.
#pragma once

#include <string>
#include <vector>

#include "linux/system_root.h"

namespace mete {

// "NVIDIA GeForce RTX 3090", "AMD GPU 1002:744c", "Broadcom VideoCore VI".
// Plain display adapters of servers and virtual machines are left out.
std::vector<std::string> ReadGpus(const SystemRoot& root);

}  // namespace mete
