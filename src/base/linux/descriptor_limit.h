// Limit on the number of files this process may have open.
#pragma once

#include <cstddef>

namespace mete {

// Raises the soft limit (usually 1024) to at most `wanted`, as far as
// permitted. Call it at program start: the limit applies to the whole process,
// and children inherit it.
void RaiseDescriptorLimit(size_t requested);

// How many descriptors one part of the program may keep open: three quarters of
// the limit but at most 1536, because each costs the kernel about 5 kB.
size_t AffordableDescriptors();

}  // namespace mete
