// A stable, anonymous id of the machine.
#pragma once

#include <filesystem>
#include <string>

#include "linux/system_root.h"
#include "support/result.h"

namespace mete {

// Sixteen hex digits: a hash of the machine id, which machine-id(5) asks not to
// expose. Without a machine id it is derived from an id stored in
// `state_folder`, or the mainboard's serial number, or a new random id that is
// then stored. Fails when none of these can be read or stored.
Result<std::string> ReadDeviceId(const SystemRoot& root,
                                 const std::filesystem::path& state_folder);

}  // namespace mete
