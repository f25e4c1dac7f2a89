// The environment in which an application is started by any launcher.
#pragma once

#include <string>
#include <vector>

#include "ports/launcher.h"

namespace mete {

// The base environment `own` (mete's, or the image's) overridden by the
// request's values, plus hints for numeric libraries to use as many threads as
// the limits allow, unless already given. "NAME=value" each.
std::vector<std::string> EnvironmentFor(const LaunchRequest& request,
                                        const std::vector<std::string>& own);

}  // namespace mete
