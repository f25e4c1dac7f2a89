#include "support/command_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace mete {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool IsBlank(char c) { return kBlanks.find(c) != std::string_view::npos; }

// True if the character needs no quoting in any common shell.
bool IsPlain(char c) {
  constexpr std::string_view kMarks = "_-./=:,@%+";
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') ||
         kMarks.find(c) != std::string_view::npos;
}

std::string QuoteWord(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, IsPlain)) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace

Result<std::vector<std::string>> SplitCommandLine(std::string_view text) {
  std::vector<std::string> arguments;
  bool inside = false;  // inside a word, which may be empty: ''
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote == 0 && IsBlank(c)) {
      inside = false;
      continue;
    }
    if (!inside) arguments.emplace_back();
    inside = true;
    bool last = i + 1 == text.size();
    if (c == '\\' && quote != '\'' && !last &&
        (quote == 0 || text[i + 1] == '"' || text[i + 1] == '\\')) {
      arguments.back() += text[++i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      arguments.back() += c;
    }
  }
  if (quote != 0) {
    return InvalidInput(fmt::format("unclosed {}", quote));
  }
  return arguments;
}

std::string JoinCommandLine(const std::vector<std::string>& arguments) {
  std::vector<std::string> quoted;
  for (const std::string& word : arguments) quoted.push_back(QuoteWord(word));
  return fmt::format("{}", fmt::join(quoted, " "));
}

}  // namespace mete
