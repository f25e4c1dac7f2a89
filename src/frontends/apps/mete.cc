// The program mete with all its verbs.
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cli/main.h"
#include "wiring/commands.h"
#include "wiring/leftovers.h"
#include "wiring/system.h"

namespace {

std::optional<std::string> ReadVariable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value != nullptr && *value != '\0') return value;
  // Services and cron jobs start without HOME. The store must not end up in a
  // folder that everyone can write to.
  if (name == "HOME") {
    const passwd* user = getpwuid(getuid());
    if (user != nullptr) return user->pw_dir;
  }
  return std::nullopt;
}

std::vector<std::string> VariableNames() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string text = *entry;
    names.push_back(text.substr(0, text.find('=')));
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  std::unique_ptr<mete::System> system;
  // `mete bench` is started by another mete, which has done this.
  const bool inner = argc > 1 && std::string_view(argv[1]) == "bench";
  return mete::Main(argc, argv,
                    {.environment = ReadVariable,
                     .variables = VariableNames(),
                     .add_verbs =
                         [&system](mete::Command root) {
                           return mete::AddVerbs(root, system);
                         },
                     .configure =
                         [&system, inner](const mete::Settings& settings) {
                           if (!inner) mete::RemoveLeftovers();
                           system = std::make_unique<mete::System>(
                               settings, ReadVariable);
                         }});
}
