// One-line messages for invalid command lines, with the nearest valid spelling.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace mete {

// The deepest subcommand that was recognized.
const CLI::App& ChosenCommand(const CLI::App& root);

// "mete measure" for the App of that command.
std::string CommandPath(const CLI::App& app);

std::string ExplainUsageError(const CLI::App& root,
                              const CLI::ParseError& error);

// "mete: MESSAGE", or the message itself if it already names the program or a
// command of it: "mete measure: …".
std::string WithProgramName(const std::string& program,
                            const std::string& message);

}  // namespace mete
