// The program: all verbs, one executable.
#include <cstdlib>

#include "cli/main.h"
#include "wiring/services.h"

namespace {

std::optional<std::string> ReadVariable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  return mete::Main(argc, argv,
                    {.environment = ReadVariable,
                     .make_services = [](const mete::Settings& settings) {
                       return mete::MakeServices(settings, ReadVariable);
                     }});
}
