#include "flags/completion.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "flags/usage.h"

namespace mete {
namespace {

CompletionFlag ToCompletionFlag(const CLI::Option& option) {
  CompletionFlag flag;
  for (const auto& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const auto& name : option.get_lnames())
    flag.names.push_back("--" + name);
  flag.description = option.get_description();
  flag.takes_value = option.get_items_expected_max() > 0;
  return flag;
}

void Collect(const CLI::App& app, std::vector<CompletionFlag> inherited,
             std::vector<CompletionCommand>& tree) {
  CompletionCommand command;
  command.path = CommandPath(app);
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) continue;
    // Every command has its own --help; only the root has --version.
    bool own = option->check_lname("help") || option->check_lname("version");
    command.flags.push_back(ToCompletionFlag(*option));
    if (!own && app.get_parent() == nullptr)
      inherited.push_back(ToCompletionFlag(*option));
  }
  if (app.get_parent() != nullptr) {
    command.flags.insert(command.flags.end(), inherited.begin(),
                         inherited.end());
  }
  std::vector<const CLI::App*> shown;
  for (const CLI::App* child : app.get_subcommands({})) {
    if (!child->get_group().empty()) shown.push_back(child);
  }
  for (const CLI::App* child : shown) {
    command.children.emplace_back(child->get_name(), child->get_description());
  }
  tree.push_back(command);
  for (const CLI::App* child : shown) Collect(*child, inherited, tree);
}

std::string Words(const CompletionCommand& command) {
  std::string words;
  for (const auto& [name, meaning] : command.children) words += name + " ";
  for (const CompletionFlag& flag : command.flags) {
    for (const std::string& name : flag.names) words += name + " ";
  }
  if (!words.empty()) words.pop_back();
  return words;
}

// Descriptions go into single quotes: close, escape, reopen.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// "mete runs show" -> "runs show"; "" for the root.
std::string BelowRoot(const CompletionCommand& command) {
  size_t blank = command.path.find(' ');
  return blank == std::string::npos ? "" : command.path.substr(blank + 1);
}

// 'mete runs'
// 'mete runs show'
// …: the patterns of a shell's case statement.
std::string KnownPaths(const std::vector<CompletionCommand>& tree) {
  std::vector<std::string> known;
  for (const CompletionCommand& command : tree) {
    known.push_back(Quoted(command.path));
  }
  return fmt::format("{}", fmt::join(known, "|"));
}

// 'name:meaning' with escaped colons.
std::string ZshOffer(const std::string& name, const std::string& meaning) {
  auto escaped = [](const std::string& text) {
    std::string result;
    for (char c : text)
      result += c == ':' ? std::string("\\:") : std::string(1, c);
    return result;
  };
  return Quoted(escaped(name) + ":" + escaped(meaning));
}

// The scripts find the command that the arguments so far name, then offer its
// subcommands and flags.
constexpr std::string_view kBashTemplate =
    R"sh(# bash completion for mete: eval "$(mete completion bash)"
_mete() {
  local current="${COMP_WORDS[COMP_CWORD]}" path=mete word words i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    case "$path $word" in
      @KNOWN@) path="$path $word" ;;
    esac
  done
  case "${COMP_WORDS[COMP_CWORD-1]}" in
    -o|--output)
      COMPREPLY=($(compgen -W 'table json csv' -- "$current"))
      return ;;
  esac
  case "$path" in
@CASES@  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o default 2>/dev/null
  fi
}
complete -F _mete mete
)sh";

constexpr std::string_view kZshTemplate =
    R"sh(#compdef mete
# zsh completion for mete: source <(mete completion zsh)
_mete() {
  local path_so_far=mete word
  local -a offers
  for word in ${words[2,CURRENT-1]}; do
    case "$path_so_far $word" in
      @KNOWN@) path_so_far="$path_so_far $word" ;;
    esac
  done
  case "$words[CURRENT-1]" in
    -o|--output) compadd table json csv; return ;;
  esac
  case "$path_so_far" in
@CASES@  esac
  _describe -t commands mete offers
  [[ "$words[CURRENT]" != -* ]] && _files
}
compdef _mete mete
)sh";

std::string Filled(std::string_view script, const std::string& known,
                   const std::string& cases) {
  std::string text(script);
  text.replace(text.find("@KNOWN@"), 7, known);
  text.replace(text.find("@CASES@"), 7, cases);
  return text;
}

}  // namespace

std::vector<CompletionCommand> CompletionTree(Command root) {
  std::vector<CompletionCommand> tree;
  Collect(root.app(), {}, tree);
  return tree;
}

std::string BashCompletion(const std::vector<CompletionCommand>& tree) {
  std::string cases;
  for (const CompletionCommand& command : tree) {
    cases += fmt::format("    {}) words={} ;;\n", Quoted(command.path),
                         Quoted(Words(command)));
  }
  return Filled(kBashTemplate, KnownPaths(tree), cases);
}

std::string ZshCompletion(const std::vector<CompletionCommand>& tree) {
  std::string cases;
  for (const CompletionCommand& command : tree) {
    std::string offers;
    for (const auto& [name, meaning] : command.children) {
      offers += " " + ZshOffer(name, meaning);
    }
    for (const CompletionFlag& flag : command.flags) {
      for (const std::string& name : flag.names) {
        offers += " " + ZshOffer(name, flag.description);
      }
    }
    cases +=
        fmt::format("    {}) offers=({} ) ;;\n", Quoted(command.path), offers);
  }
  return Filled(kZshTemplate, KnownPaths(tree), cases);
}

std::string FishCompletion(const std::vector<CompletionCommand>& tree) {
  std::string script =
      "# fish completion for mete: mete completion fish | source\n"
      "function __mete_at\n"
      "  set -l words (commandline -opc)\n"
      "  set -l plain (string match -v -- '-*' $words[2..-1])\n"
      "  set -l wanted (string split ' ' -- $argv[1])\n"
      "  test -z \"$argv[1]\"; and test (count $plain) -eq 0; and return 0\n"
      "  test -n \"$argv[1]\"; and test (count $plain) -ge (count $wanted);\n"
      "  and test \"$plain[1..(count $wanted)]\" = \"$wanted\"\n"
      "end\n";
  for (const CompletionCommand& command : tree) {
    std::string where = fmt::format("complete -c mete -n \"__mete_at '{}'\"",
                                    BelowRoot(command));
    for (const auto& [name, meaning] : command.children) {
      script +=
          fmt::format("{} -f -a {} -d {}\n", where, name, Quoted(meaning));
    }
    for (const CompletionFlag& flag : command.flags) {
      std::string names;
      for (const std::string& name : flag.names) {
        bool is_long = name.starts_with("--");
        names += fmt::format(" -{} {}", is_long ? "l" : "s",
                             name.substr(is_long ? 2 : 1));
      }
      script +=
          fmt::format("{}{}{} -d {}\n", where, names,
                      flag.takes_value ? " -r" : "", Quoted(flag.description));
    }
  }
  return script;
}

}  // namespace mete
