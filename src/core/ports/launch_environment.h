// The environment an application is started with, whoever starts it.
#pragma once

#include <string>
#include <vector>

#include "ports/launcher.h"

namespace mete {

// What it gets anyway (`own`: mete's environment, or the image's) with the
// request's values in place of its own, and a hint for numeric libraries to use
// as many threads as the limits allow, unless one is given. "NAME=value" each.
std::vector<std::string> EnvironmentFor(const LaunchRequest& request,
                                        const std::vector<std::string>& own);

}  // namespace mete
