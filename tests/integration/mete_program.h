// Runs the real program as a child process of a test.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/check.h"

namespace mete {

// A mete process that is killed with its owner. Its output is discarded. It
// keeps its files beside the store, never in the home of the user.
class MeteProgram {
 public:
  MeteProgram(const std::filesystem::path& store,
              std::vector<std::string> command) {
    command.insert(command.begin(),
                   {METE_PROGRAM, "-q", "--store", "sqlite:" + store.string()});
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::vector<std::string> variables = {"METE_STATE=" +
                                          store.parent_path().string()};
    for (char** entry = environ; *entry != nullptr; ++entry) {
      std::string variable = *entry;
      if (!variable.starts_with("METE_STATE=")) variables.push_back(variable);
    }
    std::vector<char*> environment;
    for (std::string& variable : variables) {
      environment.push_back(variable.data());
    }
    environment.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    int error = posix_spawn(&process_, METE_PROGRAM, &actions, nullptr,
                            arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    CHECK(error == 0) << "start " << METE_PROGRAM;
  }
  MeteProgram(const MeteProgram&) = delete;
  MeteProgram& operator=(const MeteProgram&) = delete;
  ~MeteProgram() {
    if (process_ > 0) End(SIGKILL);
  }

  // Returns the exit code; 128 or more after a signal.
  int Wait() {
    int status = 0;
    CHECK(waitpid(process_, &status, 0) == process_) << "waitpid";
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int End(int signal) {
    kill(process_, signal);
    return Wait();
  }

 private:
  pid_t process_ = 0;
};

}  // namespace mete
