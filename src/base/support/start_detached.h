// Starts a program that outlives this one and its terminal.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/clock.h"
#include "support/result.h"

namespace mete {

// Starts the program in a session of its own, adopted by init, with its output
// appended to `log`. Returns when it was started; whether it does its work is
// not known. Fails with kNotFound without the program setsid (util-linux).
Status StartDetached(const std::vector<std::string>& command,
                     const std::map<std::string, std::string>& environment,
                     const std::filesystem::path& log, Clock& clock);

}  // namespace mete
