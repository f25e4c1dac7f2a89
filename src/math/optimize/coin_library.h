// The C functions of Clp and Cbc, loaded when the first problem is solved: they
// bring BLAS with them, which other commands do not pay for.
#pragma once

#include <coin/Cbc_C_Interface.h>
#include <coin/Clp_C_Interface.h>

#include "support/result.h"

namespace mete {

// Clp solves linear programs. The functions without their prefix.
struct ClpFunctions {
  decltype(&::Clp_newModel) create = nullptr;
  decltype(&::Clp_deleteModel) destroy = nullptr;
  decltype(&::Clp_loadProblem) load = nullptr;
  decltype(&::Clp_addColumns) add_columns = nullptr;
  decltype(&::Clp_addRows) add_rows = nullptr;
  decltype(&::Clp_deleteColumns) delete_columns = nullptr;
  decltype(&::Clp_setObjSense) set_direction = nullptr;
  decltype(&::Clp_setLogLevel) set_log_level = nullptr;
  decltype(&::Clp_scaling) scaling = nullptr;
  decltype(&::Clp_setMaximumSeconds) set_maximum_seconds = nullptr;
  decltype(&::Clp_primal) primal = nullptr;
  decltype(&::Clp_dual) dual = nullptr;
  decltype(&::Clp_status) status = nullptr;
  decltype(&::Clp_objectiveValue) objective_value = nullptr;
  decltype(&::Clp_getColSolution) column_values = nullptr;
  decltype(&::Clp_getRowPrice) row_prices = nullptr;
  decltype(&::Clp_getReducedCost) reduced_costs = nullptr;
  decltype(&::Clp_columnLower) column_lower = nullptr;
  decltype(&::Clp_columnUpper) column_upper = nullptr;
  decltype(&::Clp_numberColumns) columns = nullptr;
  decltype(&::Clp_numberRows) rows = nullptr;
};

// Cbc solves integer programs.
struct CbcFunctions {
  decltype(&::Cbc_newModel) create = nullptr;
  decltype(&::Cbc_deleteModel) destroy = nullptr;
  decltype(&::Cbc_loadProblem) load = nullptr;
  decltype(&::Cbc_setInteger) set_integer = nullptr;
  decltype(&::Cbc_setObjSense) set_direction = nullptr;
  decltype(&::Cbc_setParameter) set_parameter = nullptr;
  decltype(&::Cbc_setLogLevel) set_log_level = nullptr;
  decltype(&::Cbc_setMaximumSeconds) set_maximum_seconds = nullptr;
  decltype(&::Cbc_setMaximumNodes) set_maximum_nodes = nullptr;
  decltype(&::Cbc_solve) solve = nullptr;
  decltype(&::Cbc_isProvenOptimal) proven_optimal = nullptr;
  decltype(&::Cbc_isProvenInfeasible) proven_infeasible = nullptr;
  decltype(&::Cbc_status) status = nullptr;
  decltype(&::Cbc_secondaryStatus) secondary_status = nullptr;
  decltype(&::Cbc_getBestPossibleObjValue) bound = nullptr;
  decltype(&::Cbc_numberSavedSolutions) saved_solutions = nullptr;
  decltype(&::Cbc_bestSolution) best_solution = nullptr;
  decltype(&::Cbc_getObjValue) objective_value = nullptr;
};

// Load the library at the first call and keep it. Thread-safe. Fail with
// kUnavailable and a hint on what to install.
Result<const ClpFunctions*> Clp();
Result<const CbcFunctions*> Cbc();

}  // namespace mete
