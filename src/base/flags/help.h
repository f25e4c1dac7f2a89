// How --help looks: names and placeholders on the left, sentences wrapped to
// 80 columns on the right.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace mete {

// The formatter of a command tree; commands inherit it from the root.
std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter();

// What stands for the value of a flag in its help: "--token-file" takes a
// FILE, "-o,--output" an OUTPUT.
std::string PlaceholderFor(const std::string& flag_names);

}  // namespace mete
