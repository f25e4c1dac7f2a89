// The tree of commands and their flags, a thin layer over CLI11. The headers of
// CLI11 take ten seconds to compile, so only three source files of this folder
// include them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace mete {

// A flag or a positional argument of a command. A light handle; copies refer to
// the same flag.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  Flag Required() const;
  // Takes one value per occurrence, not all arguments that follow.
  Flag OneEach() const;
  // Takes a whole number in these bounds, which are included.
  Flag Within(int64_t least, int64_t most) const;
  // The two cannot be given together.
  Flag Excludes(const Flag& other) const;
  // Makes sense only together with the other.
  Flag Needs(const Flag& other) const;
  // What --help calls the value: "FILE", "NAME[,NAME...]". By default the last
  // word of the flag's name.
  Flag Placeholder(const std::string& name) const;
  // `parse` returns a Result; its error becomes a usage error.
  template <typename Parser>
  Flag Check(Parser parse, const std::string& type_name) const {
    return CheckText(
        [parse](const std::string& text) {
          auto parsed = parse(text);
          return parsed.ok() ? std::string() : parsed.error().message();
        },
        type_name);
  }

 private:
  // Returns what is wrong with the text, or "".
  using Complaint = std::function<std::string(const std::string&)>;
  Flag CheckText(Complaint complaint, const std::string& type_name) const;

  CLI::Option* option_;
};

inline constexpr const char* kEveryVerb =
    "Every command takes -o table|json|csv, --store, --config, -q, -v.\n\n";

// One command: the root or a verb below it. A light handle like Flag.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // Adds a subcommand. --help ends with `remark`, a note on flags (by default
  // those of every verb of mete), and `example`. Flags of the parents may also
  // be given after it.
  Command Add(const std::string& name, const std::string& description,
              const std::string& example,
              const std::string& remark = kEveryVerb) const;
  // Requires one of the subcommands.
  void WantsSubcommand() const;
  // Works, but does not appear in the help.
  void Hide() const;
  // Shows in the usage that arguments after "--" are a command to run.
  void TakesCommand() const;

  // "--threads", "-o,--output", or "NET.onnx" for a positional argument.
  // `value` is written when the command line is parsed and must live until
  // then.
  template <typename Value>
  Flag Option(const std::string& name, Value& value,
              const std::string& description) const {
    return OptionInto(name, &value, description);
  }
  // True when given.
  Flag Switch(const std::string& name, bool& value,
              const std::string& description) const;

  // True if the command line named this command.
  bool chosen() const;
  // The flags of this command that were given: "--threads".
  std::vector<std::string> Given() const;
  const CLI::App& app() const { return *app_; }

 private:
  using Target = std::variant<std::string*, std::optional<std::string>*,
                              std::vector<std::string>*, int*,
                              std::optional<int>*, int64_t*, uint64_t*,
                              std::optional<uint64_t>*, std::optional<double>*>;
  Flag OptionInto(const std::string& name, Target target,
                  const std::string& description) const;

  CLI::App* app_;
};

// Owns the command tree and parses a command line.
class CommandLine {
 public:
  // Fixed texts of the program.
  struct Texts {
    std::string name;
    std::string description;
    std::string footer;
    std::string version;
  };
  // The result of parsing. `help` is the output of --help or --version;
  // `complaint` is a one-line usage error. At most one of them is set.
  struct Reading {
    std::optional<std::string> help;
    std::optional<std::string> complaint;
    // The arguments after "--", which are a command to run.
    std::optional<std::vector<std::string>> command;
  };

  explicit CommandLine(const Texts& texts);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  Command root() const { return Command(*root_); }
  // "help COMMAND" is read as "COMMAND --help".
  Reading Read(int argc, const char* const* argv) const;
  std::string Help() const;
  // Every command of the tree, hidden ones too: {}, {"runs"}, {"runs", "list"}.
  std::vector<std::vector<std::string>> Paths() const;

 private:
  std::unique_ptr<CLI::App> root_;
};

}  // namespace mete
