// Small tables with a known relation, for tests of learning.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "learn/feature_table.h"
#include "support/random.h"

namespace mete {

// Rows whose target is a known function of the features.
struct KnownLaw {
  FeatureTable table;
  std::vector<float> target;
};

// target = 3 a + sin(4 b); `c` is noise, and every tenth `b` is missing.
inline KnownLaw MakeKnownLaw(size_t rows, uint64_t seed) {
  Random random(seed);
  KnownLaw law{.table = {.columns = {"a", "b", "c"}}};
  for (size_t i = 0; i < rows; ++i) {
    auto a = static_cast<float>(random.Uniform());
    auto b = static_cast<float>(random.Uniform());
    auto c = static_cast<float>(random.Uniform());
    law.target.push_back(3 * a + std::sin(4 * b));
    if (i % 10 == 9) b = std::numeric_limits<float>::quiet_NaN();
    law.table.AddRow(std::vector<float>{a, b, c});
  }
  return law;
}

}  // namespace mete
