// Takes rights and resources away from this process, before it reads a file of
// a stranger.
#pragma once

#include <chrono>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// What the process may still use.
struct Confinement {
  Bytes memory = Gibibytes(2);        // address space
  std::chrono::seconds cpu{30};       // killed by SIGXCPU beyond that
  Bytes largest_file = Mebibytes(1);  // of what it writes
};

// Limits this process for good. It also leaves no core file, cannot be traced
// by other processes of its user, gains no privileges, and cannot use the
// network, start programs or change files (see DenyDangerousCalls). Fails with
// the system's error; then the process must not go on.
Status ConfineThisProcess(const Confinement& confinement);

}  // namespace mete
