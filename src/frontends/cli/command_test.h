// Runs one command of mete as its command line would, over what a test gives
// it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "cli/main.h"
#include "tests/fakes/no_services.h"

namespace mete {

// What a command printed and how it ended.
struct CommandEnd {
  int code = 0;
  std::string out;
  std::string err;
};

// The words after "mete". `add` adds the commands under test.
inline CommandEnd RunCommand(
    const std::vector<std::string>& words,
    const std::function<void(Command root, Verbs& verbs)>& add) {
  std::vector<const char*> arguments = {"mete"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  NoServices services;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  CommandEnd end;
  end.code = Main(
      static_cast<int>(arguments.size()), arguments.data(),
      {.environment = [](const std::string&) { return std::nullopt; },
       .add_verbs =
           [&](Command root) {
             Verbs verbs;
             add(root, verbs);
             return verbs;
           },
       .configure = [&](const Settings&) -> Services& { return services; }});
  end.out = testing::internal::GetCapturedStdout();
  end.err = testing::internal::GetCapturedStderr();
  return end;
}

}  // namespace mete
