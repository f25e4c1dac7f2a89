// Questions to a person and their answers; tests answer from a script.
#pragma once

#include <optional>
#include <string>

namespace mete {

class Dialogue {
 public:
  virtual ~Dialogue() = default;
  // A line that asks nothing.
  virtual void Say(const std::string& line) = 0;
  // The answer without its line end. Absent: there will be no more (Ctrl-D,
  // Ctrl-C).
  virtual std::optional<std::string> Ask(const std::string& question) = 0;
};

}  // namespace mete
