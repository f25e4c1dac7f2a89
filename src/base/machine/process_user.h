// The user that a process runs as.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mete {

// A user of the machine with its groups, as the kernel needs them.
struct ProcessUser {
  uint32_t id = 0;
  uint32_t group = 0;
  std::vector<uint32_t> groups;  // all groups, including `group`
  std::string name;
  std::string home;
};

}  // namespace mete
