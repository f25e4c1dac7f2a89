#include "linux/cgroup_usage.h"

#include <algorithm>

#include "linux/block_devices.h"
#include "linux/numbers.h"

namespace mete {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using std::filesystem::path;

std::optional<uint64_t> CountIn(const SystemRoot& root, const path& file) {
  auto line = root.Line(file);
  return line ? WholeNumber(*line) : std::nullopt;
}

// The sum over the groups below too, where the kernel offers it.
std::optional<uint64_t> TotalOf(const std::string& stat,
                                const std::string& key) {
  auto total = CounterOf(stat, "total_" + key);
  return total ? total : CounterOf(stat, key);
}

CgroupMemory MemoryV1(const SystemRoot& root, const path& folder) {
  const std::string stat = root.TextOrNone(folder / "memory.stat");
  const std::string control = root.TextOrNone(folder / "memory.oom_control");
  return {.current = BytesOf(CountIn(root, folder / "memory.usage_in_bytes")),
          .peak = BytesOf(CountIn(root, folder / "memory.max_usage_in_bytes")),
          .swap = BytesOf(TotalOf(stat, "swap")),
          .page_faults = TotalOf(stat, "pgfault"),
          .major_faults = TotalOf(stat, "pgmajfault"),
          .oom_kills = CounterOf(control, "oom_kill")};
}

CgroupMemory MemoryV2(const SystemRoot& root, const path& folder) {
  const std::string stat = root.TextOrNone(folder / "memory.stat");
  const std::string events = root.TextOrNone(folder / "memory.events");
  return {.current = BytesOf(CountIn(root, folder / "memory.current")),
          .peak = BytesOf(CountIn(root, folder / "memory.peak")),
          .swap = BytesOf(CountIn(root, folder / "memory.swap.current")),
          .page_faults = CounterOf(stat, "pgfault"),
          .major_faults = CounterOf(stat, "pgmajfault"),
          .oom_kills = CounterOf(events, "oom_kill")};
}

void AddTimeV1(const SystemRoot& root, const path& folder, CgroupCpu& cpu) {
  const std::string stat = root.TextOrNone(folder / "cpuacct.stat");
  cpu.total = TimeOf(CountIn(root, folder / "cpuacct.usage"), nanoseconds(1));
  cpu.user = TimeOf(CounterOf(stat, "user"), kClockTick);
  cpu.system = TimeOf(CounterOf(stat, "system"), kClockTick);
  const std::string cores = root.TextOrNone(folder / "cpuacct.usage_percpu");
  for (std::string_view word : WordsOf(cores)) {
    auto time = TimeOf(WholeNumber(word), nanoseconds(1));
    // A gap would give the later cores wrong numbers.
    if (!time) return cpu.per_core.clear();
    cpu.per_core.push_back(*time);
  }
}

void AddTimeV2(const SystemRoot& root, const path& folder, CgroupCpu& cpu) {
  const std::string stat = root.TextOrNone(folder / "cpu.stat");
  cpu.total = TimeOf(CounterOf(stat, "usage_usec"), microseconds(1));
  cpu.user = TimeOf(CounterOf(stat, "user_usec"), microseconds(1));
  cpu.system = TimeOf(CounterOf(stat, "system_usec"), microseconds(1));
}

void AddThrottling(const SystemRoot& root, const CgroupFolder& group,
                   CgroupCpu& cpu) {
  const std::string stat = root.TextOrNone(group.folder / "cpu.stat");
  cpu.periods = CounterOf(stat, "nr_periods");
  cpu.throttled_periods = CounterOf(stat, "nr_throttled");
  cpu.throttled =
      group.version == 1
          ? TimeOf(CounterOf(stat, "throttled_time"), nanoseconds(1))
          : TimeOf(CounterOf(stat, "throttled_usec"), microseconds(1));
}

// Decides by "8:0" whether a device's bytes count.
class StorageFilter {
 public:
  explicit StorageFilter(const SystemRoot& root)
      : devices_(ReadBlockDevices(root)) {}

  // A device that nothing is known of counts.
  bool Counts(std::string_view number) const {
    return std::none_of(devices_.begin(), devices_.end(),
                        [&](const BlockDevice& device) {
                          return device.number == number && !device.storage;
                        });
  }

 private:
  std::vector<BlockDevice> devices_;
};

// One unreadable part makes the sum unknown.
void Add(std::optional<uint64_t> count, std::optional<Bytes>& sum) {
  if (!count || !sum) {
    sum = std::nullopt;
  } else {
    sum->count += *count;
  }
}

// "8:0 Read 4096", "8:0 Write 0", …, at the end "Total 4096".
CgroupIo IoV1(const SystemRoot& root, const path& folder) {
  const path own = folder / "blkio.throttle.io_service_bytes";
  auto text = root.Text(own.string() + "_recursive");
  if (!text.ok()) text = root.Text(own);
  if (!text.ok()) return {};
  const StorageFilter filter(root);
  CgroupIo io{.read = Bytes{0}, .written = Bytes{0}};
  for (const std::string& line : LinesOf(*text)) {
    const std::vector<std::string_view> words = WordsOf(line);
    if (words.size() != 3 || !filter.Counts(words[0])) continue;
    if (words[1] == "Read") Add(WholeNumber(words[2]), io.read);
    if (words[1] == "Write") Add(WholeNumber(words[2]), io.written);
  }
  return io;
}

// "8:0 rbytes=4096 wbytes=0 rios=1 wios=0 dbytes=0 dios=0"; a group without
// any input or output has an empty file.
CgroupIo IoV2(const SystemRoot& root, const path& folder) {
  auto text = root.Text(folder / "io.stat");
  if (!text.ok()) return {};
  const StorageFilter filter(root);
  CgroupIo io{.read = Bytes{0}, .written = Bytes{0}};
  for (const std::string& line : LinesOf(*text)) {
    const std::vector<std::string_view> words = WordsOf(line);
    if (words.empty() || !filter.Counts(words[0])) continue;
    for (std::string_view word : words) {
      const std::string_view key = word.substr(0, 7);
      if (key == "rbytes=") Add(NumberAfter(word, key), io.read);
      if (key == "wbytes=") Add(NumberAfter(word, key), io.written);
    }
  }
  return io;
}

}  // namespace

CgroupUsage ReadCgroupUsage(const SystemRoot& root, const CgroupPaths& paths) {
  CgroupUsage usage;
  if (paths.memory) {
    usage.memory = (paths.memory->version == 1 ? MemoryV1 : MemoryV2)(
        root, paths.memory->folder);
  }
  if (paths.cpuacct) {
    (paths.cpuacct->version == 1 ? AddTimeV1 : AddTimeV2)(
        root, paths.cpuacct->folder, usage.cpu);
  }
  if (paths.cpu) AddThrottling(root, *paths.cpu, usage.cpu);
  if (paths.blkio) {
    usage.io =
        (paths.blkio->version == 1 ? IoV1 : IoV2)(root, paths.blkio->folder);
  }
  if (paths.pids) {
    usage.tasks = CountIn(root, paths.pids->folder / "pids.current");
  }
  if (paths.unified) {
    usage.pressure = {
        .cpu = ReadPressure(root, *paths.unified / "cpu.pressure"),
        .memory = ReadPressure(root, *paths.unified / "memory.pressure"),
        .io = ReadPressure(root, *paths.unified / "io.pressure")};
  }
  return usage;
}

}  // namespace mete
