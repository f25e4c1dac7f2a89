// Series with known properties, for the tests of this folder.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "support/random.h"

namespace mete {

// Number of series in a simulation: METE_SIMULATED_SERIES, or the test's own
// choice, which keeps it to seconds.
inline int SimulatedSeries(int otherwise) {
  const char* given = std::getenv("METE_SIMULATED_SERIES");
  return given == nullptr ? otherwise : std::atoi(given);
}

// exp(sigma z) around `median`, where z is a standard normal AR(1) series with
// coefficient phi: log-normal, independent for phi = 0. One value at a time.
class LogNormalSeries {
 public:
  // Parameters of the distribution.
  struct Shape {
    double median = 0.01;
    double sigma = 0.1;
    double phi = 0;
  };

  LogNormalSeries(const Shape& shape, uint64_t seed)
      : shape_(shape), random_(seed), z_(random_.Normal()) {}

  double Next() {
    double value = shape_.median * std::exp(shape_.sigma * z_);
    z_ = shape_.phi * z_ +
         std::sqrt(1 - shape_.phi * shape_.phi) * random_.Normal();
    return value;
  }

  std::vector<double> Take(size_t count) {
    std::vector<double> values(count);
    for (double& value : values) value = Next();
    return values;
  }

 private:
  Shape shape_;
  Random random_;
  double z_;
};

}  // namespace mete
