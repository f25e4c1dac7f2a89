// Port: live metrics, from exporters directly or from a collecting server.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// The current value of one series.
struct SeriesValue {
  std::map<std::string, std::string, std::less<>> labels;  // includes __name__
  double value = 0;  // finite; unmeasured values are omitted
  Seconds age{0};    // 0 if the source does not report it
};
using SeriesValues = std::vector<SeriesValue>;

// Provides series. Not thread-safe.
class SeriesSource {
 public:
  virtual ~SeriesSource() = default;

  // A name for people: "http://127.0.0.1:5001".
  virtual std::string name() const = 0;
  // Checks that the source understands the selector, without a request. Fails
  // with kInvalidInput.
  virtual Status Check(const std::string& selector) const = 0;
  // The series of each selector, in order; an empty list when nothing matches.
  // If the source does not respond, all of them fail, within two seconds.
  virtual std::vector<Result<SeriesValues>> Ask(
      const std::vector<std::string>& selectors, std::stop_token stop) = 0;
};

}  // namespace mete
