// Reads the options of a network from the keys of an application in YAML.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "measure/network_options.h"
#include "support/yaml.h"

namespace mete {

// The keys besides `network`: those of the flags, with underscores. `base` is
// the folder that relative paths refer to.
YamlKeys NetworkKeys(NetworkOptions& options,
                     const std::filesystem::path& base);

// Makes the paths of files absolute. Inputs that do not name a file stay.
void AnchorNetwork(const std::filesystem::path& base, NetworkOptions& options);

}  // namespace mete
