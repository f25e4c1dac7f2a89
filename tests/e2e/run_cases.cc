// Runs one case file: executes every command in a scratch folder with a fresh
// home and compares its output with the golden text.
//
//   run_cases BIN_FOLDER CASE_FILE
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "support/file.h"
#include "tests/e2e/golden.h"

namespace mete::e2e {
namespace {

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);) {
    // Ignore blank lines of output.
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// Removes settings of the caller's environment, which must not affect a case.
void UseFreshHome(const std::filesystem::path& folder,
                  const std::string& bin_folder) {
  const char* path = std::getenv("PATH");
  std::string search = bin_folder + ":" + (path ? path : "/usr/bin:/bin");
  for (char** entry = environ; entry != nullptr && *entry != nullptr;) {
    std::string name(*entry, std::strcspn(*entry, "="));
    bool foreign = name.starts_with("METE_") || name.starts_with("XDG_") ||
                   name == "DOCKER_HOST" || name == "KUBECONFIG";
    if (foreign && name != "METE_ONNXRUNTIME") {
      unsetenv(name.c_str());  // shifts the later entries
    } else {
      ++entry;
    }
  }
  setenv("PATH", search.c_str(), 1);
  setenv("HOME", folder.c_str(), 1);
}

// 120 s: the longest step builds and measures some networks with a sanitizer.
int Execute(const std::string& command, const std::filesystem::path& folder) {
  std::string shell =
      "cd '" + folder.string() + "' && timeout 120 sh -c '" +
      [&] {
        std::string quoted;
        for (char c : command) {
          quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
        }
        return quoted;
      }() +
      "' >'" + (folder / ".out").string() + "' 2>'" +
      (folder / ".err").string() + "'";
  int status = std::system(shell.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Contains(const std::vector<int>& codes, int code) {
  for (int candidate : codes) {
    if (candidate == code) return true;
  }
  return false;
}

std::string Check(const Step& step, int code, const std::string& out,
                  const std::string& err) {
  if (!Contains(step.codes, code)) {
    return "exit code " + std::to_string(code) + "\n" + out + err;
  }
  std::string difference = FirstDifference(step.output, Lines(out));
  if (!difference.empty()) return "stdout\n" + difference + "\n" + out + err;
  if (!step.checks_stderr) return "";
  difference = FirstDifference(step.stderr_lines, Lines(err));
  return difference.empty() ? "" : "stderr\n" + difference;
}

int RunCase(const std::string& bin_folder, const std::string& case_file) {
  auto text = ReadFile(case_file);
  auto folder = ScratchFolder::Create();
  if (!text.ok() || !folder.ok()) {
    std::cerr << "cannot read " << case_file << " or make a folder\n";
    return 2;
  }
  UseFreshHome(folder->path(), bin_folder);
  std::vector<Step> steps = ParseCase(*text);
  for (const Step& step : steps) {
    int code = Execute(step.command, folder->path());
    std::string out = ReadFile(folder->path() / ".out").value();
    std::string err = ReadFile(folder->path() / ".err").value();
    std::string problem = Check(step, code, out, err);
    if (problem.empty()) continue;
    std::cerr << case_file << ":" << step.line << ": $ " << step.command << "\n"
              << problem << "\n";
    return 1;
  }
  std::cout << steps.size() << " commands as expected\n";
  return steps.empty() ? 2 : 0;
}

}  // namespace
}  // namespace mete::e2e

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: run_cases BIN_FOLDER CASE_FILE\n";
    return 2;
  }
  return mete::e2e::RunCase(argv[1], argv[2]);
}
