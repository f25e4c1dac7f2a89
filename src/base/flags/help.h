// Layout of --help: names and placeholders on the left, descriptions wrapped to
// 80 columns on the right.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace mete {

// The formatter of a command tree; commands inherit it from the root. The line
// with the usage ends with `usage_end`.
std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter(
    const std::string& usage_end = "");

// The placeholder for the value of a flag in its help unless another is set:
// "--token-file" takes a FILE, "--network" a NETWORK.
std::string PlaceholderFor(const std::string& flag_names);

}  // namespace mete
