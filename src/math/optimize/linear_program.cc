#include "optimize/linear_program.h"

#include <algorithm>

#include "optimize/coin_library.h"

namespace mete {

struct LinearProgram::State {
  const ClpFunctions* clp = nullptr;
  Clp_Simplex* simplex = nullptr;
  bool solved = false;  // there is a basis to start from
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (simplex != nullptr) clp->destroy(simplex);
  }
};

namespace {

// Clp's own infinity.
double ForClp(double bound) { return std::clamp(bound, -1e50, 1e50); }

// Rows or columns in the layout of Clp.
struct SparseVectors {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> indices;
  std::vector<double> values;

  void Append(const std::vector<Coefficient>& coefficients) {
    for (const Coefficient& c : coefficients) {
      indices.push_back(static_cast<int>(c.index));
      values.push_back(c.value);
    }
    starts.push_back(static_cast<CoinBigIndex>(indices.size()));
  }
};

}  // namespace

LinearProgram::LinearProgram(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
LinearProgram::LinearProgram(LinearProgram&&) noexcept = default;
LinearProgram& LinearProgram::operator=(LinearProgram&&) noexcept = default;
LinearProgram::~LinearProgram() = default;

Result<LinearProgram> LinearProgram::Create() {
  ASSIGN_OR_RETURN(const ClpFunctions* clp, Clp());
  auto state = std::make_unique<State>();
  state->clp = clp;
  state->simplex = clp->create();
  clp->set_log_level(state->simplex, 0);
  clp->set_direction(state->simplex, -1);
  // Coefficients are counts: scaling costs time in every call and gains
  // nothing.
  clp->scaling(state->simplex, 0);
  return LinearProgram(std::move(state));
}

void LinearProgram::AddRows(std::span<const ProgramRow> rows) {
  if (rows.empty()) return;
  SparseVectors vectors;
  std::vector<double> lower, upper;
  for (const ProgramRow& row : rows) {
    vectors.Append(row.columns);
    lower.push_back(ForClp(row.lower));
    upper.push_back(ForClp(row.upper));
  }
  state_->clp->add_rows(state_->simplex, static_cast<int>(rows.size()),
                        lower.data(), upper.data(), vectors.starts.data(),
                        vectors.indices.data(), vectors.values.data());
}

void LinearProgram::AddColumns(std::span<const ProgramColumn> columns) {
  if (columns.empty()) return;
  SparseVectors vectors;
  std::vector<double> lower, upper, objective;
  for (const ProgramColumn& column : columns) {
    vectors.Append(column.rows);
    lower.push_back(ForClp(column.lower));
    upper.push_back(ForClp(column.upper));
    objective.push_back(column.objective);
  }
  state_->clp->add_columns(state_->simplex, static_cast<int>(columns.size()),
                           lower.data(), upper.data(), objective.data(),
                           vectors.starts.data(), vectors.indices.data(),
                           vectors.values.data());
}

void LinearProgram::RemoveColumns(std::span<const size_t> columns) {
  if (columns.empty()) return;
  std::vector<int> which(columns.begin(), columns.end());
  state_->clp->delete_columns(state_->simplex, static_cast<int>(which.size()),
                              which.data());
}

void LinearProgram::SetColumnBounds(size_t column, double lower, double upper) {
  state_->clp->column_lower(state_->simplex)[column] = ForClp(lower);
  state_->clp->column_upper(state_->simplex)[column] = ForClp(upper);
}

size_t LinearProgram::rows() const {
  return static_cast<size_t>(state_->clp->rows(state_->simplex));
}

size_t LinearProgram::columns() const {
  return static_cast<size_t>(state_->clp->columns(state_->simplex));
}

Result<LinearOptimum> LinearProgram::Maximize(Seconds limit) {
  const ClpFunctions& clp = *state_->clp;
  Clp_Simplex* simplex = state_->simplex;
  clp.set_maximum_seconds(simplex, std::max(limit.count(), 0.01));
  // New columns keep the last basis feasible, so the primal method continues.
  clp.primal(simplex, 0);
  int status = clp.status(simplex);
  if (status == 1) return NotFound("linear program: infeasible");
  if (status == 3) {
    return Error(ErrorCode::kTimeout, "linear program: out of time");
  }
  if (status != 0) return Unavailable("linear program: Clp gave up");
  LinearOptimum optimum{.objective = clp.objective_value(simplex)};
  const double* values = clp.column_values(simplex);
  const double* prices = clp.row_prices(simplex);
  optimum.values.assign(values, values + columns());
  optimum.prices.assign(prices, prices + rows());
  return optimum;
}

}  // namespace mete
