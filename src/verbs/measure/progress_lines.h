// Progress messages of a running use case.
#pragma once

#include <functional>
#include <string>

namespace mete {

// Callbacks for messages, called from one thread at a time. Both may be empty.
struct ProgressLines {
  // replaces the previous line
  std::function<void(const std::string&)> progress;
  std::function<void(const std::string&)> warn;
};

}  // namespace mete
