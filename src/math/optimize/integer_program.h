// Integer programs, solved by Cbc.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "optimize/linear_program.h"
#include "support/result.h"
#include "support/units.h"

namespace mete {

// Maximizes the sum of objective * x. Columns without `integer` are continuous.
struct IntegerProgram {
  std::vector<ProgramColumn> columns;  // coefficients refer to rows
  std::vector<ProgramRow> rows;        // without coefficients
  std::vector<bool> integer;           // of each column
  // Only a higher objective is of interest.
  std::optional<double> at_least;
};

// When Cbc stops. The nodes make the result repeatable, the time does not.
struct IntegerLimits {
  Seconds time{10};
  int nodes = 1000000;
  std::stop_token stop;
};

// What Cbc found.
struct IntegerOptimum {
  double objective = 0;
  double bound = 0;  // no values have a higher objective
  bool optimal = false;
  std::vector<double> values;
};

// Fails with kNotFound if there are provably no such values, with kTimeout if
// none were found in time or Cbc failed, and with kUnavailable if Cbc cannot be
// loaded. Cbc runs in a process of its own: it checks what it computes with
// assertions, which end the process when rounding errors add up.
Result<IntegerOptimum> MaximizeInteger(const IntegerProgram& program,
                                       const IntegerLimits& limits);

}  // namespace mete
