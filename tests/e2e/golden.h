// Compares output with golden text, whose placeholders match varying parts.
#pragma once

#include <string>
#include <vector>

namespace mete::e2e {

// <number> any number, <time> a number with ns|us|ms|s, <size> a number with
// B|KiB|…, <word> no blanks, <any> the rest of a line. Runs of blanks match
// runs of blanks.
bool LineMatches(const std::string& pattern, const std::string& line);

// Describes the first difference; returns "" if all lines match. The line
// "<lines>" in a pattern matches any number of lines.
std::string FirstDifference(const std::vector<std::string>& patterns,
                            const std::vector<std::string>& lines);

// A command and its expected output: `$ command`, then the lines of stdout,
// then
// `! line` for each line of stderr, then `? code`.
struct Step {
  std::string command;
  std::vector<std::string> output;
  std::vector<std::string> stderr_lines;
  bool checks_stderr = false;  // there is at least one `!` line
  std::vector<int> codes = {0};
  int line = 0;
};

// Lines before the first command and lines starting with # are comments.
std::vector<Step> ParseCase(const std::string& text);

}  // namespace mete::e2e
