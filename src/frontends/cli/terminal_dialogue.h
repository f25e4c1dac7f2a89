// A dialogue on the terminal: questions go to stderr, answers come from stdin.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "cli/dialogue.h"
#include "support/descriptor.h"

namespace mete {

// Returns whether stdin and stderr are both terminals.
bool CanAsk();

// Asks on stderr and reads lines from stdin.
class TerminalDialogue final : public Dialogue {
 public:
  // Requesting a stop ends the dialogue.
  explicit TerminalDialogue(std::stop_token stop);

  void Say(const std::string& line) override;
  std::optional<std::string> Ask(const std::string& question) override;

 private:
  // Returns false at the end of the input.
  bool ReadMore();

  Descriptor stopped_;  // readable after a stop
  std::stop_callback<std::function<void()>> on_stop_;
  std::string read_;  // not yet returned as an answer
};

}  // namespace mete
