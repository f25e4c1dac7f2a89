// Exit codes of the program, as documented for scripts.
#pragma once

namespace mete {

// How the program ended.
enum class ExitCode : int {
  kDone = 0,
  kError = 1,
  kUsage = 2,
  kInfeasible = 3,  // no feasible plan, or a constraint is not met
  kUnstable = 4,    // measured, but the numbers are not reliable
  kInterrupted = 130,
};

}  // namespace mete
