#include "support/nearest.h"

#include <algorithm>
#include <cctype>

namespace mete {
namespace {

constexpr double kCaseCost = 0.1;

double ReplaceCost(char a, char b) {
  if (a == b) return 0;
  bool same_letter = std::tolower(static_cast<unsigned char>(a)) ==
                     std::tolower(static_cast<unsigned char>(b));
  return same_letter ? kCaseCost : 1;
}

}  // namespace

// Optimal string alignment: Levenshtein plus transposition of neighbours.
double EditDistance(std::string_view from, std::string_view to) {
  size_t rows = from.size() + 1;
  size_t columns = to.size() + 1;
  std::vector<double> cost(rows * columns);
  auto at = [&](size_t i, size_t j) -> double& {
    return cost[i * columns + j];
  };
  for (size_t i = 0; i < rows; ++i) at(i, 0) = static_cast<double>(i);
  for (size_t j = 0; j < columns; ++j) at(0, j) = static_cast<double>(j);
  for (size_t i = 1; i < rows; ++i) {
    for (size_t j = 1; j < columns; ++j) {
      at(i, j) =
          std::min({at(i - 1, j) + 1, at(i, j - 1) + 1,
                    at(i - 1, j - 1) + ReplaceCost(from[i - 1], to[j - 1])});
      bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] &&
                     from[i - 2] == to[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(rows - 1, columns - 1);
}

std::optional<std::string> Nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  double best_distance = 0;
  for (const std::string& candidate : candidates) {
    double distance = EditDistance(word, candidate);
    double longer =
        static_cast<double>(std::max(word.size(), candidate.size()));
    if (distance > std::max(1.0, longer / 3)) continue;
    if (!best || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& candidates) {
  auto nearest = Nearest(word, candidates);
  return nearest ? "; did you mean '" + *nearest + "'?" : "";
}

}  // namespace mete
