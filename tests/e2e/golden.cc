#include "tests/e2e/golden.h"

#include <map>
#include <regex>
#include <sstream>

namespace mete::e2e {
namespace {

const std::map<std::string, std::string>& Placeholders() {
  static const std::map<std::string, std::string> kPlaceholders = {
      {"<number>", R"([-+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?)"},
      {"<time>", R"(-?[0-9.]+ (ns|us|ms|s))"},
      {"<size>", R"([0-9.]+ (B|KiB|MiB|GiB|TiB))"},
      {"<word>", R"(\S+)"},
      {"<any>", R"(.*)"}};
  return kPlaceholders;
}

std::string Escaped(char c) {
  constexpr std::string_view kSpecial = R"(.^$|()[]{}*+?\)";
  std::string text(1, c);
  return kSpecial.find(c) == std::string_view::npos ? text : "\\" + text;
}

std::string ToRegex(const std::string& pattern) {
  std::string regex;
  for (size_t i = 0; i < pattern.size();) {
    size_t end = pattern[i] == '<' ? pattern.find('>', i) : std::string::npos;
    if (end != std::string::npos) {
      auto found = Placeholders().find(pattern.substr(i, end - i + 1));
      if (found != Placeholders().end()) {
        regex += found->second;
        i = end + 1;
        continue;
      }
    }
    if (pattern[i] == ' ') {
      while (i < pattern.size() && pattern[i] == ' ') ++i;
      regex += " +";
      continue;
    }
    regex += Escaped(pattern[i++]);
  }
  return regex;
}

std::vector<int> ParseCodes(const std::string& text) {
  std::vector<int> codes;
  std::istringstream words(text);
  for (int code = 0; words >> code;) codes.push_back(code);
  return codes;
}

}  // namespace

bool LineMatches(const std::string& pattern, const std::string& line) {
  return std::regex_match(line, std::regex(ToRegex(pattern)));
}

std::string FirstDifference(const std::vector<std::string>& patterns,
                            const std::vector<std::string>& lines) {
  size_t at = 0;
  for (size_t i = 0; i < patterns.size(); ++i) {
    if (patterns[i] == "<lines>") {
      if (i + 1 == patterns.size()) return "";
      while (at < lines.size() && !LineMatches(patterns[i + 1], lines[at]))
        ++at;
      continue;
    }
    std::string got = at < lines.size() ? lines[at] : "(end of output)";
    if (at >= lines.size() || !LineMatches(patterns[i], got)) {
      return "expected: " + patterns[i] + "\n     got: " + got;
    }
    ++at;
  }
  return at == lines.size()
             ? ""
             : "expected: (end of output)\n     got: " + lines[at];
}

std::vector<Step> ParseCase(const std::string& text) {
  std::vector<Step> steps;
  std::istringstream input(text);
  int number = 0;
  for (std::string line; std::getline(input, line);) {
    ++number;
    if (line.starts_with("$ ")) {
      steps.push_back({.command = line.substr(2), .line = number});
    } else if (line.starts_with("#") || steps.empty()) {
      continue;
    } else if (line.starts_with("! ")) {
      steps.back().stderr_lines.push_back(line.substr(2));
      steps.back().checks_stderr = true;
    } else if (line.starts_with("? ")) {
      steps.back().codes = ParseCodes(line.substr(2));
    } else if (line != "") {
      // Blank lines separate steps. Write "<any>" for a blank output line.
      steps.back().output.push_back(line);
    }
  }
  return steps;
}

}  // namespace mete::e2e
