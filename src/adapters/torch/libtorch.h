// libtorch, whose CHECK makes room for ours: every file includes this before
// the headers of the project.
#pragma once

#ifdef CHECK
#error "include adapters/torch/libtorch.h before the headers of the project"
#endif
#include <torch/torch.h>
#undef CHECK
