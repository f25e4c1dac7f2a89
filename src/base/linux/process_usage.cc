#include "linux/process_usage.h"

#include <algorithm>
#include <set>

#include "linux/numbers.h"

namespace mete {
namespace {

using std::filesystem::path;

path FolderFor(int pid) { return path("/proc") / std::to_string(pid); }

// /proc/PID/stat: "4242 (command) S 1 4242 …".
class Stat {
 public:
  explicit Stat(std::string text) : text_(std::move(text)) {
    // The command may contain blanks, parentheses and line ends; the fields
    // after it may not.
    const size_t end = text_.rfind(')');
    if (end == std::string::npos) return;
    fields_ = SplitFields(std::string_view(text_).substr(end + 1));
  }
  Stat(const Stat&) = delete;  // fields_ points into text_
  Stat& operator=(const Stat&) = delete;

  // Numbered as in proc(5), where the state after the command is field 3.
  std::optional<uint64_t> Field(size_t number) const {
    const size_t index = number - 3;
    if (index >= fields_.size()) return std::nullopt;
    return WholeNumber(fields_[index]);
  }

 private:
  std::string text_;
  std::vector<std::string_view> fields_;
};

// Relations of a process to others.
struct Kinship {
  int pid = 0;
  int parent = 0;
  int session = 0;  // pid of the process that started it
};

std::vector<Kinship> ReadKinships(const SystemRoot& root) {
  std::vector<Kinship> all;
  for (const std::string& name : root.Names("/proc")) {
    auto number = WholeNumber(name);
    if (!number) continue;
    const int pid = static_cast<int>(*number);
    const Stat stat(root.TextOrNone(FolderFor(pid) / "stat"));
    auto parent = stat.Field(4);
    auto session = stat.Field(6);
    if (!parent || !session) continue;
    all.push_back({.pid = pid,
                   .parent = static_cast<int>(*parent),
                   .session = static_cast<int>(*session)});
  }
  return all;
}

std::optional<Bytes> ReadAnonymous(const std::string& status) {
  auto anonymous = FindKilobytes(status, "RssAnon");
  auto shared = FindKilobytes(status, "RssShmem");
  if (!anonymous || !shared) return std::nullopt;
  return Bytes{anonymous->count + shared->count};
}

}  // namespace

ProcessUsage ReadProcessUsage(const SystemRoot& root, int pid) {
  const Stat stat(root.TextOrNone(FolderFor(pid) / "stat"));
  const std::string status = root.TextOrNone(FolderFor(pid) / "status");
  const std::string io = root.TextOrNone(FolderFor(pid) / "io");
  return {.user = ToTime(stat.Field(14), kClockTick),
          .system = ToTime(stat.Field(15), kClockTick),
          .reaped_user = ToTime(stat.Field(16), kClockTick),
          .reaped_system = ToTime(stat.Field(17), kClockTick),
          .started = ToTime(stat.Field(22), kClockTick),
          .resident = FindKilobytes(status, "VmRSS"),
          .resident_anonymous = ReadAnonymous(status),
          .resident_file = FindKilobytes(status, "RssFile"),
          .peak_resident = FindKilobytes(status, "VmHWM"),
          .swap = FindKilobytes(status, "VmSwap"),
          .minor_faults = stat.Field(10),
          .major_faults = stat.Field(12),
          .threads = stat.Field(20),
          .read = ToBytes(FindCounter(io, "read_bytes", ':')),
          .written = ToBytes(FindCounter(io, "write_bytes", ':'))};
}

std::optional<StorageTraffic> ReadStorageTraffic(const SystemRoot& root,
                                                 const std::vector<int>& pids) {
  StorageTraffic sum;
  for (int pid : pids) {
    const std::string io = root.TextOrNone(FolderFor(pid) / "io");
    auto read = FindCounter(io, "read_bytes", ':');
    auto written = FindCounter(io, "write_bytes", ':');
    if (read && written) {
      sum.read.count += *read;
      sum.written.count += *written;
    } else if (root.Exists(FolderFor(pid))) {
      return std::nullopt;
    }
  }
  return sum;
}

std::optional<Bytes> ReadProportionalMemory(const SystemRoot& root, int pid) {
  return FindKilobytes(root.TextOrNone(FolderFor(pid) / "smaps_rollup"), "Pss");
}

std::vector<int> ProcessTree(const SystemRoot& root, int pid) {
  const std::vector<Kinship> all = ReadKinships(root);
  std::set<int> family{pid};
  std::vector<int> living;
  // Repeat until a round finds nothing new: a child may have a smaller pid than
  // its parent.
  size_t before = 0;
  do {
    before = family.size();
    for (const Kinship& process : all) {
      if (family.count(process.parent) + family.count(process.session) > 0) {
        family.insert(process.pid);
      }
    }
  } while (family.size() > before);
  for (const Kinship& process : all) {
    if (family.count(process.pid) > 0) living.push_back(process.pid);
  }
  std::sort(living.begin(), living.end());
  return living;
}

}  // namespace mete
