// What a use case says while it runs.
#pragma once

#include <functional>
#include <string>

namespace mete {

// Called from one thread at a time. Both may be empty.
struct ProgressLines {
  std::function<void(const std::string&)> progress;  // replaces the one before
  std::function<void(const std::string&)> warn;
};

}  // namespace mete
