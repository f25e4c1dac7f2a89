// A histogram in which old values count less.
#pragma once

#include <cstddef>
#include <vector>

namespace mete {

// Values are put into bins that grow by 5 % each. A value that is `half_life`
// older than another counts half as much.
class DecayingHistogram {
 public:
  // `first` is the upper end of the first bin; half_life in seconds.
  DecayingHistogram(double first, double half_life)
      : first_(first), half_life_(half_life) {}

  // Negative values count as 0; values that are not finite do not count.
  void Add(double value, double time);
  bool empty() const { return total_ <= 0; }
  // The upper end of the bin that contains the p-quantile; 0 if empty.
  double Quantile(double p) const;

 private:
  double first_;
  double half_life_;
  double reference_ = 0;  // time at which a value has the weight 1
  double total_ = 0;
  std::vector<double> weights_;
};

}  // namespace mete
