// What the program's exit code says, as documented for scripts.
#pragma once

namespace mete {

enum class ExitCode : int {
  kDone = 0,
  kError = 1,
  kUsage = 2,
  kInfeasible = 3,  // no feasible plan, or a constraint is not met
  kUnstable = 4,    // measured, but the numbers are not to be trusted
  kInterrupted = 130,
};

}  // namespace mete
