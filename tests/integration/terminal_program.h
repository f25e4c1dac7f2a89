// Runs the real program on a pseudo-terminal, for tests of its prompts.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "support/check.h"

namespace mete {

// A child on a pseudo-terminal that is killed with its owner. Records its
// output.
class TerminalProgram {
 public:
  explicit TerminalProgram(std::vector<std::string> command) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    process_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    CHECK(process_ >= 0) << "forkpty";
    if (process_ == 0) {
      execv(arguments[0], arguments.data());
      _exit(127);
    }
  }
  TerminalProgram(const TerminalProgram&) = delete;
  TerminalProgram& operator=(const TerminalProgram&) = delete;
  ~TerminalProgram() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      Wait();
    }
    close(terminal_);
  }

  // Types the text when the question appears. Returns false if it does not.
  bool Answer(const std::string& question, const std::string& text) {
    while (shown_.find(question, looked_) == std::string::npos) {
      if (!Read()) return false;
    }
    looked_ = shown_.find(question, looked_) + question.size();
    return write(terminal_, text.data(), text.size()) ==
           static_cast<ssize_t>(text.size());
  }

  // Returns the exit code; 128 or more after a signal.
  int Wait() {
    while (Read()) {
    }
    int status = 0;
    CHECK(waitpid(process_, &status, 0) == process_) << "waitpid";
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  const std::string& shown() const { return shown_; }

 private:
  // Returns false if the program has ended or prints nothing for a minute.
  bool Read() {
    pollfd end{.fd = terminal_, .events = POLLIN};
    if (poll(&end, 1, 60'000) <= 0) return false;
    std::array<char, 4096> buffer;
    ssize_t got = read(terminal_, buffer.data(), buffer.size());
    if (got <= 0) return false;
    shown_.append(buffer.data(), static_cast<size_t>(got));
    return true;
  }

  int terminal_ = -1;
  pid_t process_ = 0;
  std::string shown_;
  size_t looked_ = 0;
};

}  // namespace mete
