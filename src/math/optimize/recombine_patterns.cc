#include "optimize/recombine_patterns.h"

#include <utility>

#include "optimize/choose_patterns.h"
#include "optimize/packed_bins.h"
#include "optimize/trim_patterns.h"

namespace mete {
namespace {

IntegerProgram ToProgram(const PackingTables& tables, const PatternPool& pool,
                         const std::vector<size_t>& chosen) {
  IntegerProgram program;
  for (size_t i = 0; i < tables.size(); ++i) {
    program.rows.push_back(
        {.lower = tables.MustBeExact(i) ? 0 : -kInfiniteBound, .upper = 0});
    program.columns.push_back(
        {.objective = tables.item(i).score,
         .upper = 1,
         .rows = {{i, static_cast<double>(tables.item(i).units)}}});
  }
  for (const BinClass& bins : tables.classes()) {
    program.rows.push_back({.upper = static_cast<double>(bins.count())});
  }
  for (size_t p : chosen) {
    ProgramColumn column{.objective = -pool.cost(p),
                         .upper = static_cast<double>(
                             tables.classes()[pool[p].bin_class].count())};
    for (const Units& units : pool[p].contents) {
      column.rows.push_back({units.item, -static_cast<double>(units.count)});
    }
    column.rows.push_back({tables.size() + pool[p].bin_class, 1});
    program.columns.push_back(std::move(column));
  }
  program.integer.assign(program.columns.size(), true);
  return program;
}

}  // namespace

Result<Patterns> RecombinePatterns(const PackingTables& tables,
                                   PatternPool& pool,
                                   const RecombineRequest& request) {
  std::vector<size_t> chosen =
      ChoosePatterns(pool, {.prices = request.prices,
                            .most = request.most_patterns,
                            .always = &request.start});
  IntegerProgram program = ToProgram(tables, pool, chosen);
  program.at_least = ScoreOf(tables, request.start);
  auto optimum = MaximizeInteger(program, request.limits);
  if (!optimum.ok()) {
    if (optimum.error().code() == ErrorCode::kNotFound ||
        optimum.error().code() == ErrorCode::kTimeout) {
      return request.start;
    }
    return optimum.error();
  }
  Patterns patterns;
  for (size_t j = 0; j < chosen.size(); ++j) {
    for (double n = 0.5; n < optimum->values[tables.size() + j]; ++n) {
      patterns.push_back(pool[chosen[j]]);
    }
  }
  patterns = TrimPatterns(tables, std::move(patterns));
  // Cbc's word is not taken for it.
  if (ScoreOf(tables, patterns) < ScoreOf(tables, request.start)) {
    return request.start;
  }
  return patterns;
}

}  // namespace mete
