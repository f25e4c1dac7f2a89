// What people call the program that a process runs.
#pragma once

#include <string>

#include "linux/system_root.h"

namespace mete {

// The file name of the program, or of the script that an interpreter runs:
// "detector" for /opt/detector --fps 30 and for python3 -u /opt/detector.py.
// Of a process that hides its command line it is what the kernel calls it; ""
// once the process has ended.
std::string ProgramName(const SystemRoot& root, int pid);

}  // namespace mete
