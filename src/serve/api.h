// Everything `mete serve` answers, put together.
#pragma once

#include "serve/jobs_api.h"
#include "serve/router.h"

namespace mete {

Router MakeApi(const JobsApi& jobs);

}  // namespace mete
