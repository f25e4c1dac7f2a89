// A filter of system calls for a process that only reads files and computes.
#pragma once

#include "support/result.h"

namespace mete {

// From now on this process and its threads cannot use the network, start
// programs or processes, look into other processes, or change files other than
// those it has open for writing: such calls fail with EPERM. Requires
// no_new_privs. Does nothing where the kernel or the architecture has no
// support. Fails with the system's error.
Status DenyDangerousCalls();

}  // namespace mete
