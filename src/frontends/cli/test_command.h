// Runs a command in a test like the program does, with fake dependencies, and
// captures its exit code, stdout and stderr.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/main.h"

namespace mete {

// The exit code and output of a command.
struct CommandRun {
  int code = 0;
  std::string out;
  std::string err;
};

// `words` are the arguments without the program's name: {"runs", "list", "-o",
// "json"}. `add` adds the commands. The environment and files set nothing.
inline CommandRun RunCommand(
    const std::vector<std::string>& command_line,
    const std::function<void(Command root, Verbs& verbs)>& add) {
  std::vector<const char*> arguments = {"mete"};
  for (const std::string& word : command_line)
    arguments.push_back(word.c_str());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CommandRun run;
  run.code =
      Main(static_cast<int>(arguments.size()), arguments.data(),
           {.environment = [](const std::string&) { return std::nullopt; },
            .add_verbs =
                [&add](Command root) {
                  Verbs verbs;
                  add(root, verbs);
                  return verbs;
                },
            .configure = [](const Settings&) {}});
  run.out = testing::internal::GetCapturedStdout();
  run.err = testing::internal::GetCapturedStderr();
  return run;
}

}  // namespace mete
