#include "optimize/integer_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>

#include "optimize/coin_library.h"
#include "support/run_forked.h"

namespace mete {
namespace {

// Cbc looks at the time between long steps only.
constexpr Seconds kGrace{2};

using CbcHandle = std::unique_ptr<void, void (*)(Cbc_Model*)>;

void LoadProgram(const CbcFunctions& cbc, Cbc_Model* handle,
                 const IntegerProgram& program) {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> indices;
  std::vector<double> values, lower, upper, objective, row_lower, row_upper;
  auto clamp = [](double bound) { return std::clamp(bound, -1e50, 1e50); };
  for (const ProgramColumn& column : program.columns) {
    for (const Coefficient& c : column.rows) {
      indices.push_back(static_cast<int>(c.index));
      values.push_back(c.value);
    }
    starts.push_back(static_cast<CoinBigIndex>(indices.size()));
    lower.push_back(clamp(column.lower));
    upper.push_back(clamp(column.upper));
    // Cbc's own limits are for minimization, so the signs are changed.
    objective.push_back(-column.objective);
  }
  for (const ProgramRow& row : program.rows) {
    row_lower.push_back(clamp(row.lower));
    row_upper.push_back(clamp(row.upper));
  }
  cbc.load(handle, static_cast<int>(program.columns.size()),
           static_cast<int>(program.rows.size()), starts.data(), indices.data(),
           values.data(), lower.data(), upper.data(), objective.data(),
           row_lower.data(), row_upper.data());
  cbc.set_direction(handle, 1);
  for (size_t j = 0; j < program.integer.size(); ++j) {
    if (program.integer[j]) cbc.set_integer(handle, static_cast<int>(j));
  }
}

bool ProvenInfeasible(const CbcFunctions& cbc, Cbc_Model* handle) {
  if (cbc.proven_infeasible(handle) != 0) return true;
  // Finished, and already the relaxation is infeasible or below the cutoff.
  return cbc.status(handle) == 0 && cbc.secondary_status(handle) == 1 &&
         cbc.best_solution(handle) == nullptr;
}

// How the child ended, and what follows.
enum class CbcEnd : char { kFound, kInfeasible, kOutOfTime };
struct CbcAnswer {
  CbcEnd end = CbcEnd::kOutOfTime;
  bool optimal = false;
  double bound = 0;  // of the negated objective
};

// The answer, and the values if there are any.
std::string SolveByCbc(const CbcFunctions& cbc, const IntegerProgram& program,
                       const IntegerLimits& limits) {
  CbcHandle handle(cbc.create(), cbc.destroy);
  cbc.set_log_level(handle.get(), 0);
  LoadProgram(cbc, handle.get(), program);
  cbc.set_parameter(handle.get(), "log", "0");
  cbc.set_parameter(handle.get(), "ratioGap", "1e-9");
  cbc.set_parameter(handle.get(), "allowableGap", "1e-7");
  // By default it counts the time of the processor, which is late on a busy
  // machine.
  cbc.set_parameter(handle.get(), "timeMode", "elapsed");
  cbc.set_maximum_seconds(handle.get(), std::max(limits.time.count(), 0.1));
  cbc.set_maximum_nodes(handle.get(), limits.nodes);
  if (program.at_least) {
    cbc.set_parameter(handle.get(), "cutoff",
                      fmt::format("{}", -*program.at_least).c_str());
  }
  cbc.solve(handle.get());
  const double* values = cbc.best_solution(handle.get());
  CbcAnswer answer{.optimal = cbc.proven_optimal(handle.get()) != 0,
                   .bound = cbc.bound(handle.get())};
  if (ProvenInfeasible(cbc, handle.get())) {
    answer.end = CbcEnd::kInfeasible;
  } else if (values != nullptr) {
    answer.end = CbcEnd::kFound;
  }
  std::string bytes(reinterpret_cast<const char*>(&answer), sizeof answer);
  if (answer.end == CbcEnd::kFound) {
    bytes.append(reinterpret_cast<const char*>(values),
                 program.columns.size() * sizeof(double));
  }
  return bytes;
}

}  // namespace

Result<IntegerOptimum> MaximizeInteger(const IntegerProgram& program,
                                       const IntegerLimits& limits) {
  ASSIGN_OR_RETURN(const CbcFunctions* cbc, Cbc());
  auto bytes = RunForked([&] { return SolveByCbc(*cbc, program, limits); },
                         {.time = limits.time + kGrace, .stop = limits.stop});
  size_t columns = program.columns.size();
  CbcAnswer answer;
  if (bytes.ok() && bytes->size() >= sizeof answer) {
    std::memcpy(&answer, bytes->data(), sizeof answer);
  }
  if (answer.end == CbcEnd::kInfeasible) {
    return NotFound("integer program: infeasible");
  }
  if (answer.end != CbcEnd::kFound ||
      bytes->size() != sizeof answer + columns * sizeof(double)) {
    return Error(
        ErrorCode::kTimeout,
        fmt::format("integer program: {}",
                    bytes.ok() ? "out of time" : bytes.error().message()));
  }
  IntegerOptimum optimum;
  optimum.values.resize(columns);
  std::memcpy(optimum.values.data(), bytes->data() + sizeof answer,
              columns * sizeof(double));
  for (size_t j = 0; j < columns; ++j) {
    if (program.integer[j]) optimum.values[j] = std::round(optimum.values[j]);
    optimum.objective += program.columns[j].objective * optimum.values[j];
  }
  optimum.bound = std::max(optimum.objective, -answer.bound);
  optimum.optimal = answer.optimal;
  return optimum;
}

}  // namespace mete
