// The tree of commands and their flags. CLI11 does the work; its headers take
// ten seconds to compile and stay in three source files of this folder.
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

// A flag or an argument of a command. A light handle: copies mean the same.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  Flag Required() const;
  // Takes one value each time it is given, not all words that follow.
  Flag OneEach() const;
  Flag Within(int64_t least, int64_t most) const;
  // The two cannot be given together.
  Flag Excludes(const Flag& other) const;
  // `parse` returns a Result; a bad value is a usage error in its own words.
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
  // What is wrong with the text; empty when nothing is.
  using Complaint = std::function<std::string(const std::string&)>;
  Flag CheckText(Complaint complaint, const std::string& type_name) const;

  CLI::Option* option_;
};

inline constexpr const char* kEveryVerb =
    "Every verb takes -o table|json|csv, --store, --config, -q, -v.\n\n";

// One command: the root or a verb below it. A light handle like Flag.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // A command below this one with what --help ends with: a remark on flags (by
  // default those of every verb of mete) and an example. Flags of the parents
  // may be given after it.
  Command Add(const std::string& name, const std::string& description,
              const std::string& example,
              const std::string& remark = kEveryVerb) const;
  // Nothing happens without one of the commands below.
  void WantsSubcommand() const;
  // Works, but is not shown to people.
  void Hide() const;

  // "--threads", "-o,--output", or "NET.onnx" for an argument by place. The
  // value is written when the command line is parsed and must live until then.
  template <typename Value>
  Flag Option(const std::string& name, Value& value,
              const std::string& description) const {
    return OptionInto(name, &value, description);
  }
  // True when given.
  Flag Switch(const std::string& name, bool& value,
              const std::string& description) const;

  // Whether the command line named this command.
  bool chosen() const;
  // The flags of this command on the command line: "--threads".
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

// Owns the tree and reads a command line into it.
class CommandLine {
 public:
  struct Texts {
    std::string name;
    std::string description;
    std::string footer;
    std::string version;
  };
  // What came of reading. `help` is what --help or --version asked for;
  // `complaint` is one line on what is wrong. At most one is set.
  struct Reading {
    std::optional<std::string> help;
    std::optional<std::string> complaint;
    // The words after a "--", which belong to somebody else's command.
    std::optional<std::vector<std::string>> command;
  };

  explicit CommandLine(const Texts& texts);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  Command root() const { return Command(*root_); }
  Reading Read(int argc, const char* const* argv) const;
  std::string Help() const;
  // Every command of the tree, hidden ones too: {}, {"runs"}, {"runs", "list"}.
  std::vector<std::vector<std::string>> Paths() const;

 private:
  std::unique_ptr<CLI::App> root_;
};

}  // namespace mete
