// Any program as a child of a test, killed with it.
#pragma once

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/check.h"

namespace mete {

class ChildProgram {
 public:
  explicit ChildProgram(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int error = posix_spawn(&process_, words.front().c_str(), nullptr, nullptr,
                            arguments.data(), environ);
    CHECK(error == 0) << "start " << words.front();
  }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;
  ~ChildProgram() {
    kill(process_, SIGCONT);
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  pid_t pid() const { return process_; }
  void Signal(int number) const { kill(process_, number); }

 private:
  pid_t process_ = 0;
};

}  // namespace mete
