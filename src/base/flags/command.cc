#include "flags/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <sstream>

#include "flags/help.h"
#include "flags/usage.h"

namespace mete {
namespace {

template <typename Value>
constexpr bool kIsNumber = std::is_arithmetic_v<Value>;
template <typename Value>
constexpr bool kIsNumber<std::optional<Value>> = std::is_arithmetic_v<Value>;

// Returns what is wrong with the text, or "". CLI11's own check does not say
// that the number must be whole.
std::string RangeComplaint(const std::string& text, int64_t least,
                           int64_t most) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, value);
  bool whole = error == std::errc() && rest == end;
  if (whole && value >= least && value <= most) return "";
  return fmt::format("'{}' is not a whole number from {} to {}", text, least,
                     most);
}

// Reads "help COMMAND" as "COMMAND --help". A program without commands has no
// such request.
std::vector<const char*> ReadHelpRequest(std::vector<const char*> arguments,
                                         const CLI::App& root) {
  bool asked = arguments.size() > 1 &&
               std::string_view(arguments[1]) == "help" &&
               !root.get_subcommands({}).empty();
  if (!asked) return arguments;
  arguments.erase(arguments.begin() + 1);
  arguments.push_back("--help");
  return arguments;
}

}  // namespace

Flag Flag::Required() const {
  option_->required();
  return *this;
}

Flag Flag::OneEach() const {
  option_->allow_extra_args(false);
  return *this;
}

Flag Flag::Within(int64_t least, int64_t most) const {
  auto complaint = [least, most](const std::string& text) {
    return RangeComplaint(text, least, most);
  };
  // Without a description, or --help would show the bounds as a type.
  option_->check(CLI::Validator(complaint, ""));
  return *this;
}

Flag Flag::Needs(const Flag& other) const {
  option_->needs(other.option_);
  return *this;
}

Flag Flag::Excludes(const Flag& other) const {
  option_->excludes(other.option_);
  return *this;
}

Flag Flag::Placeholder(const std::string& name) const {
  option_->type_name(name);
  return *this;
}

Flag Flag::CheckText(Complaint complaint, const std::string& type_name) const {
  option_->check(CLI::Validator(std::move(complaint), ""));
  option_->type_name(type_name);
  return *this;
}

Command Command::Add(const std::string& name, const std::string& description,
                     const std::string& example,
                     const std::string& remark) const {
  CLI::App* app = app_->add_subcommand(name, description);
  app->fallthrough();
  app->group("Commands");
  app->footer(remark + "Example:\n  " + example);
  return Command(*app);
}

void Command::WantsSubcommand() const { app_->require_subcommand(1); }

void Command::Hide() const { app_->group(""); }

void Command::TakesCommand() const {
  app_->formatter(MakeHelpFormatter(" [-- COMMAND...]"));
}

Flag Command::OptionInto(const std::string& name, Target target,
                         const std::string& description) const {
  return std::visit(
      [&](auto* value) {
        CLI::Option* option = app_->add_option(name, *value, description);
        constexpr bool kNumber = kIsNumber<std::decay_t<decltype(*value)>>;
        option->type_name(kNumber ? "N" : PlaceholderFor(name));
        return Flag(*option);
      },
      target);
}

Flag Command::Switch(const std::string& name, bool& value,
                     const std::string& description) const {
  return Flag(*app_->add_flag(name, value, description));
}

bool Command::chosen() const { return app_->parsed(); }

std::vector<std::string> Command::Given() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() > 0) names.push_back(option->get_name());
  }
  return names;
}

CommandLine::CommandLine(const Texts& texts)
    : root_(std::make_unique<CLI::App>(texts.description, texts.name)) {
  root_->footer(texts.footer);
  root_->formatter(MakeHelpFormatter());
  root_->set_version_flag("--version", texts.version, "Print the version");
}

CommandLine::~CommandLine() = default;

CommandLine::Reading CommandLine::Read(int argc,
                                       const char* const* argv) const {
  Reading reading;
  const char* const* end = argv + argc;
  const char* const* dashes = std::find_if(argv, end, [](const char* word) {
    return std::string_view(word) == "--";
  });
  if (dashes != end) reading.command.emplace(dashes + 1, end);
  const std::vector<const char*> arguments =
      ReadHelpRequest({argv, dashes}, *root_);
  try {
    root_->parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::Success& done) {  // --help, --version
    std::ostringstream text;
    root_->exit(done, text, text);
    return {.help = text.str()};
  } catch (const CLI::ParseError& error) {
    return {.complaint = ExplainUsageError(*root_, error)};
  }
  return reading;
}

std::string CommandLine::Help() const { return root_->help(); }

std::vector<std::vector<std::string>> CommandLine::Paths() const {
  std::vector<std::vector<std::string>> paths{{}};
  // Grows while it is read: the children of a command follow it.
  for (size_t i = 0; i < paths.size(); ++i) {
    const CLI::App* app = root_.get();
    for (const std::string& name : paths[i]) app = app->get_subcommand(name);
    for (const CLI::App* child : app->get_subcommands({})) {
      std::vector<std::string> path = paths[i];
      path.push_back(child->get_name());
      paths.push_back(std::move(path));
    }
  }
  return paths;
}

}  // namespace mete
