// A linear program whose columns and rows can grow, solved by Clp.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

inline constexpr double kInfiniteBound =
    std::numeric_limits<double>::infinity();

// One coefficient: of a row in a column, or of a column in a row.
struct Coefficient {
  size_t index = 0;
  double value = 0;
};

// lower <= x <= upper, with its objective and its coefficients in the rows.
struct ProgramColumn {
  double objective = 0;
  double lower = 0;
  double upper = kInfiniteBound;
  std::vector<Coefficient> rows;
};

// lower <= sum of columns <= upper.
struct ProgramRow {
  double lower = -kInfiniteBound;
  double upper = kInfiniteBound;
  std::vector<Coefficient> columns;
};

// The optimum of a linear program.
struct LinearOptimum {
  double objective = 0;
  std::vector<double> values;  // of the columns
  // What the objective gains when a row is relaxed by one.
  std::vector<double> prices;
};

// Maximizes the objective. Solving again after a change starts from the last
// basis. Not thread-safe, but several programs may be used at once.
class LinearProgram {
 public:
  // Fails with kUnavailable if Clp cannot be loaded.
  static Result<LinearProgram> Create();
  LinearProgram(LinearProgram&&) noexcept;
  LinearProgram& operator=(LinearProgram&&) noexcept;
  ~LinearProgram();

  void AddRows(std::span<const ProgramRow> rows);
  void AddColumns(std::span<const ProgramColumn> columns);
  void RemoveColumns(std::span<const size_t> columns);
  void SetColumnBounds(size_t column, double lower, double upper);
  size_t rows() const;
  size_t columns() const;

  // Fails with kTimeout after the limit, with kNotFound if no values satisfy
  // the rows, and with kUnavailable if Clp gives up.
  Result<LinearOptimum> Maximize(Seconds limit);

 private:
  struct State;
  explicit LinearProgram(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace mete
