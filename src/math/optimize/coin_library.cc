#include "optimize/coin_library.h"

#include <dlfcn.h>

#include <string>

namespace mete {
namespace {

constexpr const char* kClp = "libClp.so.1";
constexpr const char* kCbc = "libCbcSolver.so.3";

Result<void*> OpenCoin(const char* name, const char* package) {
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Unavailable(std::string("placement requires ") + name +
                       " (Debian: apt install " + package + "): " + dlerror());
  }
  return library;
}

// Looks up functions and remembers whether all were found.
struct CoinSymbols {
  void* library;
  bool whole = true;

  template <typename Function>
  void Find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    whole = whole && function != nullptr;
  }
};

Result<ClpFunctions> LoadClp() {
  ASSIGN_OR_RETURN(void* library, OpenCoin(kClp, "coinor-libclp1"));
  ClpFunctions f;
  CoinSymbols symbols{.library = library};
  symbols.Find("Clp_newModel", f.create);
  symbols.Find("Clp_deleteModel", f.destroy);
  symbols.Find("Clp_loadProblem", f.load);
  symbols.Find("Clp_addColumns", f.add_columns);
  symbols.Find("Clp_addRows", f.add_rows);
  symbols.Find("Clp_deleteColumns", f.delete_columns);
  symbols.Find("Clp_setObjSense", f.set_direction);
  symbols.Find("Clp_setLogLevel", f.set_log_level);
  symbols.Find("Clp_scaling", f.scaling);
  symbols.Find("Clp_setMaximumSeconds", f.set_maximum_seconds);
  symbols.Find("Clp_primal", f.primal);
  symbols.Find("Clp_dual", f.dual);
  symbols.Find("Clp_status", f.status);
  symbols.Find("Clp_objectiveValue", f.objective_value);
  symbols.Find("Clp_getColSolution", f.column_values);
  symbols.Find("Clp_getRowPrice", f.row_prices);
  symbols.Find("Clp_getReducedCost", f.reduced_costs);
  symbols.Find("Clp_columnLower", f.column_lower);
  symbols.Find("Clp_columnUpper", f.column_upper);
  symbols.Find("Clp_numberColumns", f.columns);
  symbols.Find("Clp_numberRows", f.rows);
  if (!symbols.whole) return Unavailable(std::string(kClp) + " is too old");
  return f;
}

Result<CbcFunctions> LoadCbc() {
  ASSIGN_OR_RETURN(void* library, OpenCoin(kCbc, "coinor-libcbc3"));
  CbcFunctions f;
  CoinSymbols symbols{.library = library};
  symbols.Find("Cbc_newModel", f.create);
  symbols.Find("Cbc_deleteModel", f.destroy);
  symbols.Find("Cbc_loadProblem", f.load);
  symbols.Find("Cbc_setInteger", f.set_integer);
  symbols.Find("Cbc_setObjSense", f.set_direction);
  symbols.Find("Cbc_setParameter", f.set_parameter);
  symbols.Find("Cbc_setLogLevel", f.set_log_level);
  symbols.Find("Cbc_setMaximumSeconds", f.set_maximum_seconds);
  symbols.Find("Cbc_setMaximumNodes", f.set_maximum_nodes);
  symbols.Find("Cbc_solve", f.solve);
  symbols.Find("Cbc_isProvenOptimal", f.proven_optimal);
  symbols.Find("Cbc_isProvenInfeasible", f.proven_infeasible);
  symbols.Find("Cbc_status", f.status);
  symbols.Find("Cbc_secondaryStatus", f.secondary_status);
  symbols.Find("Cbc_getBestPossibleObjValue", f.bound);
  symbols.Find("Cbc_numberSavedSolutions", f.saved_solutions);
  symbols.Find("Cbc_bestSolution", f.best_solution);
  symbols.Find("Cbc_getObjValue", f.objective_value);
  if (!symbols.whole) return Unavailable(std::string(kCbc) + " is too old");
  return f;
}

}  // namespace

Result<const ClpFunctions*> Clp() {
  static const Result<ClpFunctions> loaded = LoadClp();
  if (!loaded.ok()) return loaded.error();
  return &*loaded;
}

Result<const CbcFunctions*> Cbc() {
  static const Result<CbcFunctions> loaded = LoadCbc();
  if (!loaded.ok()) return loaded.error();
  return &*loaded;
}

}  // namespace mete
