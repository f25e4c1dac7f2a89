#include "flags/help.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "support/text.h"

namespace mete {
namespace {

constexpr size_t kColumns = 80;
constexpr size_t kDescriptionColumn = 28;

// "  left                      right", the right side wrapped below itself. A
// left side that is too long gets a line of its own.
std::string TwoColumns(const std::string& left, const std::string& right) {
  std::string text = "  " + left;
  std::string indent(kDescriptionColumn, ' ');
  bool fits = text.size() + 2 <= kDescriptionColumn;
  text += fits ? indent.substr(text.size()) : "\n" + indent;
  std::string separator;
  for (const std::string& line :
       WrapLines(right, kColumns - kDescriptionColumn)) {
    text += separator + line;
    separator = "\n" + indent;
  }
  return text + "\n";
}

// CLI11's own formatter prints its types and checks ("UINT:N:INT in [1 - 10]
// Excludes: --until"), which mean nothing to a user.
class HelpFormatter final : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::string usage_end)
      : usage_end_(std::move(usage_end)) {}

  std::string make_option(const CLI::Option* option,
                          bool is_positional) const override {
    std::string left = make_option_name(option, is_positional);
    std::replace(left.begin(), left.end(), ',', ' ');
    if (size_t blank = left.find(' '); blank != std::string::npos) {
      left.insert(blank, ",");
    }
    if (!is_positional && option->get_items_expected_max() > 0) {
      left += " " + option->get_type_name();
    }
    return TwoColumns(left, option->get_description());
  }

  std::string make_usage(const CLI::App* command,
                         std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(command, std::move(name));
    return usage.insert(usage.find_last_not_of('\n') + 1, usage_end_);
  }

  std::string make_description(const CLI::App* command) const override {
    return command->get_description() + "\n\n";
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return TwoColumns(command->get_name(), command->get_description());
  }

 private:
  std::string usage_end_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter(
    const std::string& usage_end) {
  auto formatter = std::make_shared<HelpFormatter>(usage_end);
  formatter->label("Positionals", "Arguments");
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("SUBCOMMANDS", "COMMAND");
  return formatter;
}

std::string PlaceholderFor(const std::string& flag_names) {
  size_t last = flag_names.find_last_of("-,");
  std::string word =
      last == std::string::npos ? flag_names : flag_names.substr(last + 1);
  for (char& c : word) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return word;
}

}  // namespace mete
