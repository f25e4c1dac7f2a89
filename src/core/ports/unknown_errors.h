// The errors of stores for names and IDs they do not have. They say where to
// find the right one.
#pragma once

#include <string>
#include <vector>

#include "support/nearest.h"
#include "support/result.h"

namespace mete {

inline Error UnknownRun(const std::string& id) {
  return NotFound("no run has the ID '" + id +
                  "'; list them with mete runs list");
}

inline Error UnknownJob(const std::string& id) {
  return NotFound("no job has the ID '" + id +
                  "'; list them with mete jobs list");
}

inline Error UnknownSweep(const std::string& id) {
  return NotFound("no sweep has the ID '" + id +
                  "'; mete report sweep without an ID shows the newest");
}

// Suggests the nearest of the known names.
inline Error UnknownDevice(const std::string& name,
                           const std::vector<std::string>& known = {}) {
  std::string nearest = DidYouMean(name, known);
  return NotFound(
      "no device is named '" + name + "'" +
      (nearest.empty() ? "; list them with mete devices list" : nearest));
}

}  // namespace mete
