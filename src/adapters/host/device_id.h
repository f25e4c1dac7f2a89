// The stable, anonymous id of a machine.
#pragma once

#include <filesystem>
#include <string>

#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// Sixteen hex digits: a hash of the machine's id, which machine-id(5) asks not
// to be shown to others. Without a machine id it is a number kept in
// `state_folder`, or the mainboard's, or a new random one that is then kept.
// Fails when none of them can be read or kept.
Result<std::string> ReadDeviceId(const SystemRoot& root,
                                 const std::filesystem::path& state_folder);

}  // namespace mete
