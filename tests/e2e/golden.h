// Golden output with placeholders: text that must match but for its numbers.
#pragma once

#include <string>
#include <vector>

namespace mete::e2e {

// <number> any number, <time> a number with ns|us|ms|s, <size> a number with
// B|KiB|…, <word> no blanks, <any> the rest of a line. Runs of blanks match
// runs of blanks.
bool LineMatches(const std::string& pattern, const std::string& line);

// The first difference, told for a person; "" when all lines match. A pattern
// line of "<lines>" stands for any number of lines.
std::string FirstDifference(const std::vector<std::string>& patterns,
                            const std::vector<std::string>& lines);

// A command with what it must print. `$ command`, then expected stdout lines,
// then `! line` for each expected line of stderr, then `? code`.
struct Step {
  std::string command;
  std::vector<std::string> output;
  std::vector<std::string> stderr_lines;
  bool checks_stderr = false;  // at least one `!` line was given
  std::vector<int> codes = {0};
  int line = 0;
};

// Lines before the first command and lines starting with # are comments.
std::vector<Step> ParseCase(const std::string& text);

}  // namespace mete::e2e
