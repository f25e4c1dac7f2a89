// Includes libtorch and removes its CHECK macro in favour of ours: include it
// before the headers of the project.
#pragma once

#ifdef CHECK
#error "include adapters/torch/libtorch.h before the headers of the project"
#endif
#include <torch/torch.h>
#undef CHECK
