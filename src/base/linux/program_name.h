// A readable name for the program that a process runs.
#pragma once

#include <string>

#include "linux/system_root.h"

namespace mete {

// The file name of the program, or of the script that an interpreter runs:
// "detector" for /opt/detector --fps 30 and for python3 -u /opt/detector.py.
// Falls back to the kernel's name when a process hides its command line; ""
// once the process has ended.
std::string ProgramName(const SystemRoot& root, int pid);

}  // namespace mete
