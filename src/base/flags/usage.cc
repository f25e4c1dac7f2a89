#include "flags/usage.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "support/nearest.h"

namespace mete {
namespace {

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* level = &app; level != nullptr;
       level = level->get_parent()) {
    for (const CLI::Option* option : level->get_options()) {
      for (const auto& name : option->get_lnames())
        names.push_back("--" + name);
      for (const auto& name : option->get_snames()) names.push_back("-" + name);
    }
  }
  return names;
}

std::vector<std::string> SubcommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* child : app.get_subcommands({})) {
    if (!child->get_group().empty()) names.push_back(child->get_name());
  }
  return names;
}

std::string ExplainExtra(const CLI::App& chosen, const std::string& word) {
  std::string bare = word.substr(0, word.find('='));
  if (word.starts_with("-")) {
    return CommandPath(chosen) + ": unknown flag '" + bare + "'" +
           DidYouMean(bare, OptionNames(chosen));
  }
  std::vector<std::string> commands = SubcommandNames(chosen);
  if (commands.empty()) {
    return CommandPath(chosen) + ": unexpected argument '" + word + "'";
  }
  std::string advice = DidYouMean(word, commands);
  if (advice.empty()) {
    advice =
        fmt::format("; expected {}{}", commands.size() > 1 ? "one of: " : "",
                    fmt::join(commands, ", "));
  }
  return "unknown command '" + CommandPath(chosen) + " " + word + "'" + advice;
}

std::string ExplainMissing(const CLI::App& chosen, const std::string& what) {
  std::vector<std::string> commands = SubcommandNames(chosen);
  if (!commands.empty()) {
    return fmt::format("expected {}: {}",
                       commands.size() > 1 ? "one of" : "a command",
                       fmt::join(commands, ", "));
  }
  std::string name = what.substr(0, what.find(" is required"));
  if (name.starts_with("-")) return what;
  return fmt::format("expected {}; see {} --help", name, CommandPath(chosen));
}

// The text around `separator`; absent without it.
std::optional<std::pair<std::string, std::string>> SplitOnce(
    const std::string& text, std::string_view separator) {
  size_t at = text.find(separator);
  if (at == std::string::npos) return std::nullopt;
  return std::pair(text.substr(0, at), text.substr(at + separator.size()));
}

// Rewords the messages of CLI11 that do not say what to do. Its exceptions have
// no fields, only a text.
std::string Reword(const CLI::ParseError& error) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    auto names = SplitOnce(text, " excludes ");
    return names ? fmt::format("{} and {} cannot be used together",
                               names->first, names->second)
                 : text;
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) {
    return text;
  }
  // "--memory: 1 required BYTES missing"
  if (auto missing = SplitOnce(text, ": 1 required ")) {
    return fmt::format("{0} requires a value: {0} {1}", missing->first,
                       missing->second.substr(0, missing->second.rfind(' ')));
  }
  if (auto twice = SplitOnce(text, ": At Most 1 required but received ")) {
    return twice->first + " was given more than once";
  }
  return text;
}

}  // namespace

const CLI::App& ChosenCommand(const CLI::App& root) {
  const CLI::App* chosen = &root;
  while (!chosen->get_subcommands().empty()) {
    chosen = chosen->get_subcommands().front();
  }
  return *chosen;
}

std::string CommandPath(const CLI::App& app) {
  if (app.get_parent() == nullptr) return app.get_name();
  return CommandPath(*app.get_parent()) + " " + app.get_name();
}

std::string ExplainUsageError(const CLI::App& root,
                              const CLI::ParseError& error) {
  const CLI::App& chosen = ChosenCommand(root);
  bool required = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  std::vector<std::string> extras = root.remaining(true);
  bool misspelt = required && !extras.empty();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || misspelt) {
    // A flag before a plain argument: that was most likely its value.
    for (const std::string& word : extras) {
      if (word.starts_with("-")) return ExplainExtra(chosen, word);
    }
    if (!extras.empty()) return ExplainExtra(chosen, extras.front());
  }
  return CommandPath(chosen) + ": " +
         (required ? ExplainMissing(chosen, error.what()) : Reword(error));
}

std::string WithProgramName(const std::string& program,
                            const std::string& message) {
  bool named =
      message.starts_with(program + ":") || message.starts_with(program + " ");
  return named ? message : program + ": " + message;
}

}  // namespace mete
