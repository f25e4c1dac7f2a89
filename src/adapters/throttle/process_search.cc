#include "adapters/throttle/process_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "linux/numbers.h"
#include "linux/program_name.h"
#include "support/text.h"

namespace mete {
namespace {

std::set<int> SelfAndAbove(const std::vector<FoundProcess>& all, int self) {
  std::map<int, int> parents;
  for (const FoundProcess& process : all) parents[process.pid] = process.parent;
  std::set<int> line;
  for (int pid = self; pid > 0 && line.insert(pid).second;) {
    auto found = parents.find(pid);
    pid = found == parents.end() ? 0 : found->second;
  }
  return line;
}

// Why a process must not be changed; "" when it may be.
std::string Objection(const FoundProcess& process, const std::set<int>& line,
                      int self) {
  if (process.pid == 1) return "the init process";
  if (process.kernel) return "a kernel thread";
  if (process.pid == self) return "this program itself";
  if (line.contains(process.pid)) return "an ancestor of this program";
  return "";
}

}  // namespace

std::optional<int> PidIn(const std::string& name_or_pid) {
  auto number = WholeNumber(name_or_pid);
  if (!number || *number > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

// proc(5), stat: pid (name) state parent …; flags is the ninth field, the start
// time the 22nd.
std::optional<FoundProcess> ReadProcess(const SystemRoot& root, int pid) {
  constexpr uint64_t kKernelThread = 0x00200000;  // PF_KTHREAD
  auto text = root.Text(fmt::format("/proc/{}/stat", pid));
  if (!text.ok()) return std::nullopt;
  const size_t begin = text->find('(');
  const size_t end = text->rfind(')');
  if (begin == std::string::npos || end == std::string::npos) {
    return std::nullopt;
  }
  auto fields = SplitAt(std::string_view(*text).substr(end + 1), ' ');
  if (fields.size() < 8) return std::nullopt;
  FoundProcess process{.pid = pid,
                       .parent = PidIn(fields[2]).value_or(0),
                       .name = text->substr(begin + 1, end - begin - 1)};
  uint64_t flags = WholeNumber(fields[7]).value_or(0);
  if (fields.size() > 20) {
    process.started = WholeNumber(fields[20]).value_or(0);
  }
  process.kernel = (flags & kKernelThread) != 0;
  process.program = ProgramName(root, pid);
  return process;
}

std::vector<FoundProcess> ReadProcesses(const SystemRoot& root) {
  std::vector<FoundProcess> processes;
  for (const std::string& name : root.Names("/proc")) {
    auto pid = PidIn(name);
    auto process = pid ? ReadProcess(root, *pid) : std::nullopt;
    if (process) processes.push_back(*std::move(process));
  }
  std::ranges::sort(processes, {}, &FoundProcess::pid);
  return processes;
}

Result<std::vector<int>> FindProcesses(const SystemRoot& root,
                                       const std::string& name_or_pid,
                                       int self) {
  const auto all = ReadProcesses(root);
  const auto line = SelfAndAbove(all, self);
  const auto pid = PidIn(name_or_pid);
  std::vector<int> found;
  for (const FoundProcess& process : all) {
    bool meant =
        pid ? process.pid == *pid
            : process.name == name_or_pid || process.program == name_or_pid;
    if (!meant) continue;
    std::string objection = Objection(process, line, self);
    if (!objection.empty()) {
      return Error(ErrorCode::kPermissionDenied,
                   fmt::format("process {} ({}) is {}; it is never changed",
                               process.pid, process.name, objection));
    }
    found.push_back(process.pid);
  }
  if (found.empty()) return NotFound(fmt::format("no process {}", name_or_pid));
  return found;
}

std::vector<int> WithDescendants(const std::vector<FoundProcess>& all,
                                 const std::vector<int>& pids) {
  std::set<int> family(pids.begin(), pids.end());
  for (bool grown = true; grown;) {
    grown = false;
    for (const FoundProcess& process : all) {
      if (family.contains(process.parent)) {
        grown = family.insert(process.pid).second || grown;
      }
    }
  }
  return {family.begin(), family.end()};
}

}  // namespace mete
