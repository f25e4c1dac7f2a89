#include "linux/program_name.h"

#include <algorithm>
#include <array>
#include <vector>

namespace mete {
namespace {

std::vector<std::string> ReadArguments(const std::string& text) {
  std::vector<std::string> arguments;
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = std::min(text.find('\0', begin), text.size());
    arguments.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return arguments;
}

std::string FileName(const std::string& word) {
  return std::filesystem::path(word).filename().string();
}

bool IsInterpreter(const std::string& name) {
  constexpr std::array<std::string_view, 10> kNames = {
      "python", "node", "java", "ruby", "perl",
      "bash",   "dash", "sh",   "php",  "busybox"};
  // python3.11 is an interpreter, too.
  std::string_view stem =
      std::string_view(name).substr(0, name.find_first_of("0123456789."));
  return std::ranges::count(kNames, stem) > 0;
}

// The script in an interpreter's command line; "" when there is none.
std::string FindScript(const std::vector<std::string>& arguments) {
  for (size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    // In "python3 -m package" the name follows the switch; code after -c has no
    // name.
    if (word == "-m" && i + 1 < arguments.size()) return arguments[i + 1];
    if (word == "-c") return "";
    if (word.empty() || word.starts_with('-')) continue;
    return std::filesystem::path(word).stem().string();
  }
  return "";
}

}  // namespace

std::string ProgramName(const SystemRoot& root, int pid) {
  const std::string process = "/proc/" + std::to_string(pid);
  std::vector<std::string> arguments =
      ReadArguments(root.TextOrNone(process + "/cmdline"));
  if (arguments.empty() || arguments[0].empty()) {
    return root.Line(process + "/comm").value_or("");
  }
  std::string name = FileName(arguments[0]);
  std::string script = IsInterpreter(name) ? FindScript(arguments) : "";
  return script.empty() ? name : script;
}

}  // namespace mete
