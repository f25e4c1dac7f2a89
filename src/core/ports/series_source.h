// Port: live series, asked of those who measure or of those who collect.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "support/result.h"
#include "support/units.h"

namespace mete {

// One series as it stands now.
struct SeriesValue {
  std::map<std::string, std::string, std::less<>> labels;  // with __name__
  double value = 0;  // a finite number: what was not measured is left out
  Seconds age{0};    // as far as its source tells; else 0
};
using SeriesValues = std::vector<SeriesValue>;

// From one thread at a time.
class SeriesSource {
 public:
  virtual ~SeriesSource() = default;

  // As people know it: "http://127.0.0.1:5001".
  virtual std::string name() const = 0;
  // Whether it will understand the selector, without asking anybody. Fails
  // with kInvalidInput.
  virtual Status Check(const std::string& selector) const = 0;
  // What each selector chooses, in their order; nothing chosen is an empty
  // answer. A source that does not answer fails for all of them, within two
  // seconds.
  virtual std::vector<Result<SeriesValues>> Ask(
      const std::vector<std::string>& selectors, std::stop_token stop) = 0;
};

}  // namespace mete
