// Looks for what a killed mete has left behind: processes, cgroups, folders.
#pragma once

#include <fmt/format.h>
#include <sys/types.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "linux/cgroup_facts.h"
#include "linux/system_root.h"
#include "support/file.h"

namespace mete {

// The processes whose environment has this "NAME=value". Every process that
// mete starts inherits it.
inline std::vector<std::string> ProcessesWith(const std::string& variable) {
  std::vector<std::string> found;
  const std::string whole = '\0' + variable + '\0';
  for (const std::string& pid : SystemRoot().Names("/proc")) {
    if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string folder = "/proc/" + pid;
    auto environment = ReadFile(folder + "/environ");  // fails if it has ended
    if (!environment.ok()) continue;
    if (('\0' + *environment).find(whole) == std::string::npos) continue;
    auto command = ReadFile(folder + "/cmdline");
    std::string text = command.ok() ? *command : "";
    std::ranges::replace(text, '\0', ' ');
    found.push_back(fmt::format("{}: {}", pid, text));
  }
  return found;
}

// The cgroups that the mete process with this id has created.
inline std::vector<std::string> CgroupsFor(pid_t mete) {
  const std::string prefix = "mete-app-" + std::to_string(mete) + "-";
  std::vector<std::string> found;
  for (const CgroupController& controller :
       ReadCgroups(SystemRoot()).controllers) {
    for (const std::string& name : SystemRoot().Names(controller.folder)) {
      if (!name.starts_with(prefix)) continue;
      found.push_back((controller.folder / name).string());
    }
  }
  return found;
}

inline std::vector<std::string> EntriesOf(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  auto files = FilesIn(folder);
  if (!files.ok()) return {files.error().message()};
  for (const auto& file : *files) names.push_back(file.string());
  return names;
}

}  // namespace mete
