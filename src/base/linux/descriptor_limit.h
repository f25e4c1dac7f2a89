// How many files this process may have open at once.
#pragma once

#include <cstddef>

namespace mete {

// Asks for up to `wanted` descriptors where the usual limit is lower (1024) and
// may be raised. For the start of a program: the limit is the process's, and
// children inherit it.
void RaiseDescriptorLimit(size_t wanted);

// How many of them one part of the program may keep: three quarters, and no
// more than 1536, since each costs the kernel about 5 kB.
size_t AffordableDescriptors();

}  // namespace mete
