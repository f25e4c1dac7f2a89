// A dialogue on the terminal: questions on stderr, answers from stdin.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "cli/dialogue.h"
#include "support/descriptor.h"

namespace mete {

// Whether somebody can be asked: stdin and stderr are both terminals.
bool CanAsk();

class TerminalDialogue final : public Dialogue {
 public:
  // A stop ends the dialogue.
  explicit TerminalDialogue(std::stop_token stop);

  void Say(const std::string& line) override;
  std::optional<std::string> Ask(const std::string& question) override;

 private:
  // False: there is no more to read.
  bool ReadMore();

  Descriptor stopped_;  // readable after a stop
  std::stop_callback<std::function<void()>> on_stop_;
  std::string read_;  // but not answered with yet
};

}  // namespace mete
