#include "flags/usage.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
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
  std::vector<std::string> verbs = SubcommandNames(chosen);
  if (verbs.empty()) {
    return CommandPath(chosen) + ": unexpected argument '" + word + "'";
  }
  return "unknown verb '" + CommandPath(chosen) + " " + word + "'" +
         DidYouMean(word, verbs);
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
    // A flag before a plain word: the word was most likely its value.
    for (const std::string& word : extras) {
      if (word.starts_with("-")) return ExplainExtra(chosen, word);
    }
    if (!extras.empty()) return ExplainExtra(chosen, extras.front());
  }
  if (required && !SubcommandNames(chosen).empty()) {
    return CommandPath(chosen) + " wants one of: " +
           fmt::format("{}", fmt::join(SubcommandNames(chosen), ", "));
  }
  return CommandPath(chosen) + ": " + error.what();
}

}  // namespace mete
