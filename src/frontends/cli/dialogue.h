// Asks a person questions. Tests answer from a script.
#pragma once

#include <optional>
#include <string>

namespace mete {

// A conversation with the user.
class Dialogue {
 public:
  virtual ~Dialogue() = default;
  // Prints a line that needs no answer.
  virtual void Say(const std::string& line) = 0;
  // Returns the answer without its line end, or nothing if the person ended
  // the dialogue (Ctrl-D, Ctrl-C).
  virtual std::optional<std::string> Ask(const std::string& question) = 0;
};

}  // namespace mete
